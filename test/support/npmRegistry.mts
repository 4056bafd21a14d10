/**
 * npm's registry as n8n sees it, with one package: n8n accepts no other registry without a license. A proxy redirects
 * registry.npmjs.org here, and nothing else.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { execa } from 'execa';

import { certificateFor } from './certificate.mjs';

const HOST = 'registry.npmjs.org';

export interface NpmRegistry {
	/** The settings that lead n8n, and the npm it starts, here. */
	env: Record<string, string>;
	/** Of the tarball, in npm's format. */
	checksum: string;
	/** The requested paths. */
	requests: string[];
	/** Adds a newer version. */
	publish(tarball: string): Promise<void>;
	stop(): void;
}

/**
 * @param tarball the package
 * @param folder for the certificate
 */
export async function startNpmRegistry(tarball: string, folder: string): Promise<NpmRegistry> {
	/** The tarballs, by the end of their URLs. */
	const tarballs: Record<string, Buffer> = {};
	const answers: Record<string, unknown> = {};
	const versions: Record<string, object> = {};
	const publish = async (file: string): Promise<string> => {
		const content = await readFile(file);
		const { stdout } = await execa('tar', ['-xzOf', file, 'package/package.json']);
		const manifest = JSON.parse(stdout) as { name: string; version: string };
		const { name, version } = manifest;
		const integrity = `sha512-${createHash('sha512').update(content).digest('base64')}`;
		const path = `/${name}/-/${name}-${version}.tgz`;
		tarballs[path] = content;
		versions[version] = {
			...manifest,
			_id: `${name}@${version}`,
			dist: { tarball: `https://${HOST}${path}`, integrity },
		};
		answers[`/${name}`] = { name, 'dist-tags': { latest: version }, versions };
		answers[`/${name}/${version}`] = answers[`/${name}/latest`] = versions[version];
		return integrity;
	};
	const checksum = await publish(tarball);

	const { key, cert } = certificateFor(HOST);
	const certificate = join(folder, 'registry.pem');
	await writeFile(certificate, cert);

	const requests: string[] = [];
	const registry = createServer({ key, cert }, ({ url = '' }, response) => {
		requests.push(url);
		if (tarballs[url]) return response.end(tarballs[url]);
		const answer = answers[url];
		response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
		return response.end(JSON.stringify(answer ?? {}));
	}).listen(0, '127.0.0.1');
	const proxy = createHttpServer((_, response) => response.writeHead(502).end());
	proxy.on('connect', ({ url }, client) => {
		if (url !== `${HOST}:443`) return client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
		const line = connect((registry.address() as AddressInfo).port, '127.0.0.1', () => {
			client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
			client.pipe(line).pipe(client);
		});
		for (const end of [line, client]) end.on('error', () => {});
		return undefined;
	});
	proxy.listen(0, '127.0.0.1');
	await Promise.all([once(registry, 'listening'), once(proxy, 'listening')]);
	return {
		env: {
			HTTPS_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
			NODE_EXTRA_CA_CERTS: certificate,
			// Ignores npm's settings on this machine.
			HOME: folder,
			npm_config_cafile: certificate,
			npm_config_update_notifier: 'false',
		},
		checksum,
		requests,
		publish: async (file) => void (await publish(file)),
		stop() {
			for (const server of [registry, proxy]) {
				server.closeAllConnections();
				server.close();
			}
		},
	};
}
