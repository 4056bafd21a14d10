import { testLifecycle } from './triggerLifecycle.mjs';

testLifecycle('publication service', true);
