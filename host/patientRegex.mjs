// n8n gives each regular expression in its checks 250 ms of real time, too little where the machine is busy: a workflow then
// doesn't start, or a condition fails. Tests load this into their process; they and `npm start` load it into n8n with
// `NODE_OPTIONS=--import …`.
import vm from 'node:vm';

const N8N_LIMIT_MS = 250;
const PATIENCE_MS = 60_000;

const { runInContext } = vm.Script.prototype;

vm.Script.prototype.runInContext = function (context, options) {
	const isLimit = options?.timeout === N8N_LIMIT_MS;
	return runInContext.call(this, context, isLimit ? { ...options, timeout: PATIENCE_MS } : options);
};
