/**
 * A stand-in for an object of n8n or the nodes with only the members that the code under test uses. Their names are
 * checked, not their values, because the compiler can't know which part of a type a test needs.
 */
export const partial = <T,>(members: { [K in keyof NoInfer<T>]?: unknown }): T => members as T;

/** JSON from n8n's engine or the sandbox, cast to the type that the test expects. */
export const jsonAs = <T,>(json: unknown): T => json as T;
