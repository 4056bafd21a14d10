/** What a process of Vitest notes after each file; see ../tests.setup.mts. */
export interface FileTime {
	file: string;
	/** Seconds of processor time that its tests took. */
	tests: number;
	pid: number;
	/** Seconds that the process has taken so far. */
	whole: number;
}

/** The variable that names the file for it. */
export const TIMES = 'TEST_TIMES';
