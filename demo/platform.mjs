// Which machines can run the n8n of host/. Plain JavaScript: it runs before anything is installed.

/** Platforms for which both the Node.js package and n8n's compiled dependencies exist. */
const PLATFORMS = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'win32-x64'];
const WITHOUT_N8N = 'Without n8n, `npm test`, `npm run build` and `npm run sandbox` work here.';

/** Whether the C library is musl (Alpine): the Node.js packages are built for glibc. */
function isMusl() {
	const { header } = /** @type {{ header: { glibcVersionRuntime?: string } }} */ (process.report.getReport());
	return header.glibcVersionRuntime === undefined;
}

/**
 * The reason why n8n can't run on a machine, by default this one; undefined if it can.
 *
 * @param {string} platform
 * @param {string} arch
 * @param {() => boolean} musl
 * @returns {string | undefined}
 */
export function noHostFor(platform = process.platform, arch = process.arch, musl = isMusl) {
	if (!PLATFORMS.includes(`${platform}-${arch}`)) {
		const instead = platform === 'win32' ? 'Use WSL with Ubuntu' : 'Use one of those';
		return `n8n can’t run on ${platform} ${arch}: it needs Node.js 24, which has packages only for ${PLATFORMS.join(', ')}. ${instead}. ${WITHOUT_N8N}`;
	}
	if (platform === 'linux' && musl())
		return `n8n can’t run on Linux with musl (Alpine): the Node.js installed with it needs glibc. Use Linux with glibc (Debian, Ubuntu, Fedora; as an image, node:24 instead of node:24-alpine). ${WITHOUT_N8N}`;
	return undefined;
}
