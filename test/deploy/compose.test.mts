/** What deploy/compose.yaml promises of its containers. That Compose can read it is a step of CI (`bash .ci/step deploy`). */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

interface Service {
	image: string;
	networks?: string[];
	environment?: Record<string, unknown>;
	cap_drop: string[];
	cap_add?: string[];
	ports?: unknown[];
	[key: string]: unknown;
}

const read = async (file: string) =>
	parse(await readFile(`deploy/${file}`, 'utf8'), { merge: true }) as {
		services: Record<string, Service>;
		networks: Record<string, { internal?: boolean } | null>;
	};
const { services, networks } = await read('compose.yaml');
const all = Object.entries({ ...services, ...(await read('compose.sandbox.yaml')).services });

describe('compose.yaml', () => {
	it.each(all)('limits what %s may use and do', (_, service) => {
		expect(service).toMatchObject({
			cap_drop: ['ALL'],
			security_opt: ['no-new-privileges:true'],
			mem_limit: expect.stringMatching(/^\d+[mg]$/) as string,
			cpus: expect.any(Number) as number,
			pids_limit: expect.any(Number) as number,
			logging: { options: { 'max-size': '20m', 'max-file': '5' } },
		});
	});

	it('lets no container change its own files, except n8n’s', () => {
		const writable = all.filter(([, service]) => service.read_only !== true).map(([name]) => name);
		expect(writable.sort()).toEqual(['main', 'runners', 'runners-2', 'webhook', 'worker', 'worker-2']);
	});

	it.each(['main', 'worker', 'worker-2', 'webhook'])(
		'lets %s reach no private address, tell nothing to n8n’s makers, and take no large body',
		(name) => {
			expect(services[name].environment).toMatchObject({
				N8N_SSRF_PROTECTION_ENABLED: 'true',
				N8N_SSRF_ALLOWED_HOSTNAMES: 'main,${N8N_DOMAIN:-localhost},${PRIVATE_GATEWAY:-sandbox}',
				N8N_DIAGNOSTICS_ENABLED: 'false',
				N8N_PUBLIC_API_SWAGGERUI_DISABLED: 'true',
				N8N_PAYLOAD_SIZE_MAX: name === 'webhook' ? 1 : 16,
				N8N_FORMDATA_FILE_SIZE_MAX: '${N8N_UPLOAD_MIB:-25}',
			});
		},
	);

	it('gives rights back to two: the proxy’s ports, and the owner of the package’s files', () => {
		const rights = all.filter(([, { cap_add }]) => cap_add).map(([name, { cap_add }]) => [name, cap_add]);
		expect(Object.fromEntries(rights)).toEqual({
			proxy: ['NET_BIND_SERVICE'],
			package: ['CHOWN', 'DAC_OVERRIDE', 'FOWNER'],
		});
	});

	it('lets only the proxy be reached from outside, and keeps data and Code nodes off the internet', () => {
		const ports = Object.entries(services).flatMap(([name, { ports }]) => (ports ? [[name, ports]] : []));
		expect(Object.fromEntries(ports)).toEqual({
			proxy: ['0.0.0.0:80:80', '0.0.0.0:443:443'],
			main: ['127.0.0.1:5678:5678'],
		});
		expect(networks).toMatchObject({ inside: { internal: true }, code: { internal: true } });
		const inside = Object.keys(services).filter((name) => services[name].networks?.join() === 'inside');
		expect(inside.sort()).toEqual(['backup', 'postgres', 'redis']);
		for (const name of ['runners', 'runners-2']) expect(services[name].networks, name).toEqual(['code']);
		expect(services.package).toMatchObject({ network_mode: 'none' });
	});

	it('gives each worker a task runner of its own, of n8n’s version and with its token', () => {
		const workers = Object.keys(services).filter((name) => services[name].command === 'worker');
		const runners = Object.values(services).filter(({ image }) => image.startsWith('n8nio/runners:'));
		expect(runners.map(({ environment }) => environment?.N8N_RUNNERS_TASK_BROKER_URI)).toEqual(
			workers.map((name) => `http://${name}:5679`),
		);
		for (const { image, environment } of runners) {
			expect(image.split(':').slice(1)).toEqual(services.main.image.split(':').slice(1));
			for (const name of ['N8N_RUNNERS_AUTH_TOKEN', 'N8N_RUNNERS_TASK_TIMEOUT'])
				expect(environment?.[name], name).toBe(services.worker.environment?.[name]);
		}
	});

	it('runs the n8n that is tested, and of each image a certain version', async () => {
		const { dependencies } = JSON.parse(await readFile('host/n8n/package.json', 'utf8')) as {
			dependencies: { n8n: string };
		};
		expect(services.main.image).toBe(`n8nio/n8n:\${N8N_VERSION:-${dependencies.n8n}}`);
		for (const [name, { image }] of all) expect(image, name).toMatch(/:(\d|\$\{N8N_VERSION:-\d)/);
	});
});
