/** Prints the path of the Node.js that comes with n8n, for commands that need it: `"$(npx tsx host/node.mts)" …`. */
import { hostNode } from './n8n.mjs';

console.log(hostNode());
