import type { Faults } from './admin/faults.mjs';
import type { Variants } from './admin/variants.mjs';
import type { RequestLog } from './http/requestLog.mjs';
import type { Services } from './modules.mjs';
import type { Store } from './store.mjs';

/** Shared by the gateway and the control API: state, services, request log, faults and variants. */
export interface SandboxContext {
	store: Store;
	services: Services;
	log: RequestLog;
	faults: Faults;
	variants: Variants;
}
