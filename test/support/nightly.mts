/** Whether the tests on a real n8n run in full: `NIGHTLY=true`. By day, what takes long and rarely breaks is left out. */
export const NIGHTLY = process.env.NIGHTLY === 'true';

/** A table of cases: nightly all of them, by day the first ones. */
export const firstOf = <T,>(count: number, table: T[]): T[] => (NIGHTLY ? table : table.slice(0, count));
