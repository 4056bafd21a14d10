/** A proxy to a server that can be taken down between two requests: n8n opens a connection for each. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

export class Proxy {
	/** Called for each connection with its number, from 0, before any data gets through. */
	onConnection: (number: number) => void = () => {};
	#server?: Server;
	#port = 0;
	#connections = 0;
	readonly #sockets = new Set<Socket>();

	/** @param target port of the server on this machine */
	constructor(private readonly target: number) {}

	get url(): string {
		return `http://127.0.0.1:${this.#port}`;
	}

	/** Accepts connections (again), on the same port. */
	async open(): Promise<void> {
		if (this.#server) return;
		this.#server = createServer((socket) => this.#forward(socket)).listen(this.#port, '127.0.0.1');
		await once(this.#server, 'listening');
		this.#port = (this.#server.address() as AddressInfo).port;
	}

	/** Refuses connections from now on; open ones continue. */
	refuse(): void {
		this.#server?.close();
		this.#server = undefined;
	}

	/** Restarts counting. */
	reset(): void {
		this.#connections = 0;
		this.onConnection = () => {};
	}

	close(): void {
		this.refuse();
		for (const socket of this.#sockets) socket.destroy();
	}

	#forward(socket: Socket): void {
		this.onConnection(this.#connections++);
		const server = connect(this.target, '127.0.0.1');
		for (const [one, other] of [
			[socket, server],
			[server, socket],
		]) {
			this.#sockets.add(one);
			one.on('error', () => other.resetAndDestroy());
			one.on('close', () => this.#sockets.delete(one));
		}
		socket.pipe(server).pipe(socket);
	}
}
