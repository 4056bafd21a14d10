/** "0.4 s", "12 s", "2 min 5 s" */
export function duration(milliseconds: number): string;

export function bold(text: string): string;
export function dim(text: string): string;
export function green(text: string): string;
export function red(text: string): string;

/**
 * Runs a piece of work under a heading, shows that it is still going on, and how long it took. A terminal gets one
 * line that is rewritten every second; elsewhere a line is added now and then.
 * @param title what is being done
 * @param work `say` tells how far it is; the last thing said stays
 */
export function step<T>(title: string, work: (say: (detail: string) => void) => Promise<T>): Promise<T>;
