import range from 'lodash/range.js';

/**
 * A range of ports for the programs of each process, below those that systems use for outgoing connections: a program listens a
 * while after its port was chosen, and another process may get an outgoing connection's port meanwhile. Those of n8n: host/n8n.mts.
 */
const FIRST_PORT = 30_000 + (process.pid % 270) * 10;
export const OWN_PORTS = range(FIRST_PORT, FIRST_PORT + 10);
