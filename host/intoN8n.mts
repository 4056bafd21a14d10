/** Modules of this repository that are loaded into a real n8n, before n8n itself. */
import { TESTED_IMAGE } from './n8n.mjs';

/** Lets n8n's checks take their time where the machine is busy. */
export const PATIENT_REGEX = new URL('./patientRegex.mjs', import.meta.url);
/** Records the connections off this machine in the file that CONNECTIONS_FILE names. */
export const RECORDER = new URL('recordConnections.mjs', import.meta.url);
/** Collects n8n's garbage whenever it gets the signal SIGUSR2. */
export const GARBAGE = new URL('./collectGarbage.mjs', import.meta.url);

/** The setting of n8n that loads modules. An image of n8n has no files of this repository. */
export const loading = (...modules: URL[]): Record<string, string> =>
	TESTED_IMAGE ? {} : { NODE_OPTIONS: modules.map(({ href }) => `--import ${href}`).join(' ') };
