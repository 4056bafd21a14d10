/**
 * A stand-in for an object of n8n's, or of the nodes', that has only the members that the code under test uses. Their
 * names are checked; what they hold isn't, since the compiler can't know which part of its type a test needs.
 */
export const partial = <T,>(members: { [K in keyof NoInfer<T>]?: unknown }): T => members as T;

/** JSON from n8n's engine or from the sandbox, as what the test knows it to be: JSON carries no types. */
export const jsonAs = <T,>(json: unknown): T => json as T;
