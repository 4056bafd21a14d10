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
const single = await read('single/compose.yaml');
const all = [
	...Object.entries({ ...services, ...(await read('compose.sandbox.yaml')).services }),
	...Object.entries(single.services).map(([name, service]): [string, Service] => [`single ${name}`, service]),
];

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

	it('has a health check for each service that keeps running', () => {
		const without = all.filter(([, { healthcheck }]) => !healthcheck).map(([name]) => name);
		// They copy the package and end.
		expect(without).toEqual(['package', 'single package']);
	});

	it('lets no container change its own files, except n8n’s', () => {
		const writable = all.filter(([, service]) => service.read_only !== true).map(([name]) => name);
		expect(writable.sort()).toEqual(
			[
				'main',
				'runners',
				'runners-2',
				'single n8n',
				'single runners',
				'webhook',
				'worker',
				'worker-2',
			].sort(),
		);
	});

	it.each(['main', 'worker', 'worker-2', 'webhook'])(
		'lets %s reach no private address, tell nothing to n8n’s makers, and take no large body',
		(name) => {
			expect(services[name].environment).toMatchObject({
				N8N_SSRF_PROTECTION_ENABLED: 'true',
				N8N_SSRF_ALLOWED_HOSTNAMES: 'main,${N8N_DOMAIN:-localhost},${PRIVATE_GATEWAY:-sandbox}',
				N8N_DIAGNOSTICS_ENABLED: 'false',
				N8N_PUBLIC_API_SWAGGERUI_DISABLED: 'true',
				N8N_PAYLOAD_SIZE_MAX: 16,
				N8N_FORMDATA_FILE_SIZE_MAX: '${N8N_UPLOAD_MIB:-25}',
			});
		},
	);

	it('gives rights back to two: the proxy’s ports, and the owner of the package’s files', () => {
		const rights = all.filter(([, { cap_add }]) => cap_add).map(([name, { cap_add }]) => [name, cap_add]);
		expect(Object.fromEntries(rights)).toEqual({
			proxy: ['NET_BIND_SERVICE'],
			package: ['CHOWN', 'DAC_OVERRIDE', 'FOWNER'],
			'single proxy': ['NET_BIND_SERVICE'],
			'single package': ['CHOWN', 'DAC_OVERRIDE', 'FOWNER'],
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
		for (const { image } of [services.main, single.services.n8n, single.services.backup])
			expect(image).toBe(`n8nio/n8n:\${N8N_VERSION:-${dependencies.n8n}}`);
		expect(single.services.runners.image).toBe(services.runners.image);
		for (const [name, { image }] of all) expect(image, name).toMatch(/:(\d|\$\{N8N_VERSION:-\d)/);
	});
});

describe('single/compose.yaml', () => {
	/** What is otherwise in queue mode, and why. */
	const OTHERWISE = [
		/^(EXECUTIONS_MODE|OFFLOAD_|DB_|QUEUE_|N8N_METRICS)/, // several processes
		/^N8N_SSRF_ALLOWED_HOSTNAMES$/, // n8n's own address
		/^N8N_DEFAULT_BINARY_DATA_MODE$/, // one process has a disk of its own
	];

	it('has the settings of queue mode, as far as one process has them', () => {
		const shared = Object.entries(services.main.environment!).filter(
			([name]) => name !== 'N8N_DISABLE_PRODUCTION_MAIN_PROCESS' && !OTHERWISE.some((one) => one.test(name)),
		);
		expect(single.services.n8n.environment).toEqual({
			...Object.fromEntries(shared),
			N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
			N8N_SSRF_ALLOWED_HOSTNAMES: 'localhost,${N8N_DOMAIN:-localhost},${PRIVATE_GATEWAY:-localhost}',
		});
	});

	it('lets only the proxy be reached from outside, which has the limits of queue mode', () => {
		const ports = Object.entries(single.services).flatMap(([name, { ports }]) =>
			ports ? [[name, ports]] : [],
		);
		expect(Object.fromEntries(ports)).toEqual({
			n8n: ['127.0.0.1:5678:5678'],
			proxy: ['0.0.0.0:80:80', '0.0.0.0:443:443'],
		});
		expect(single.services.proxy).toMatchObject({
			volumes: ['../Caddyfile:/etc/caddy/Caddyfile:ro', 'certificates:/data'],
			environment: { N8N_MAIN: 'n8n:5678', N8N_WEBHOOKS: 'n8n:5678' },
		});
		for (const name of ['runners', 'backup']) expect(single.services[name].networks).toEqual(['code']);
		expect(single.networks).toMatchObject({ code: { internal: true } });
	});
});
