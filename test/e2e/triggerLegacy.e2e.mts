import { testLifecycle } from './triggerLifecycle.mjs';

testLifecycle('legacy', false);
