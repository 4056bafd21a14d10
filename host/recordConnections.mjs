// Loaded into n8n with `NODE_OPTIONS=--import …`: writes every address off this machine that n8n connects to, one a line,
// to the file that CONNECTIONS_FILE names.
import { appendFileSync } from 'node:fs';
import net from 'node:net';

const LOOPBACK = /^(localhost|127\.[\d.]+|::1|0\.0\.0\.0|::)$/;
const connect = net.Socket.prototype.connect;

// All TCP of Node.js goes through here: http, https, tls, fetch.
net.Socket.prototype.connect = function (...args) {
	// `net.connect` has put the arguments into an array already.
	// @ts-expect-error Node.js's own, which its types leave out
	const [options] = Array.isArray(args[0]) ? args[0] : net._normalizeArgs(args);
	const { host = 'localhost', port, path } = options;
	if (!path && !LOOPBACK.test(host)) {
		appendFileSync(String(process.env.CONNECTIONS_FILE), `${host}:${port}\n`);
	}
	return Reflect.apply(connect, this, args);
};
