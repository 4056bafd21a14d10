// What n8n keeps in memory shows only without garbage, which Node.js leaves where there is room. Tests load this into n8n with
// `NODE_OPTIONS=--import …`, and send it the signal SIGUSR2.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');
// The last resort gives back to the system what is free.
process.on('SIGUSR2', () => collectGarbage({ type: 'major', flavor: 'last-resort' }));
