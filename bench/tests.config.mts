import { mergeConfig } from 'vitest/config';

import tests from '../vitest.config.mjs';

/** `npm test`, with a note of what each file takes. */
export default mergeConfig(tests, { test: { setupFiles: ['bench/tests.setup.mts'] } });
