// Which machines can run the n8n of host/. Plain JavaScript: it runs before anything is installed.

/** Those for which there are both a Node.js as a package and n8n's compiled parts. */
const PLATFORMS = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'win32-x64'];
const WITHOUT_N8N = 'Without n8n, `npm test`, `npm run build` and `npm run sandbox` work here.';

/** Linux's other C library, Alpine's, is not the one that the packages of Node.js are made for. */
function isMusl() {
	const { header } = /** @type {{ header: { glibcVersionRuntime?: string } }} */ (process.report.getReport());
	return header.glibcVersionRuntime === undefined;
}

/**
 * Why n8n can't be run on a machine, by default on this one; undefined where it can.
 *
 * @param {string} platform
 * @param {string} arch
 * @param {() => boolean} musl
 * @returns {string | undefined}
 */
export function noHostFor(platform = process.platform, arch = process.arch, musl = isMusl) {
	if (!PLATFORMS.includes(`${platform}-${arch}`)) {
		const instead = platform === 'win32' ? 'Use WSL with Ubuntu' : 'Use one of those';
		return `n8n can’t be run on ${platform} ${arch}: it needs Node.js 24, of which there are packages for ${PLATFORMS.join(', ')} only. ${instead}. ${WITHOUT_N8N}`;
	}
	if (platform === 'linux' && musl())
		return `n8n can’t be run on a Linux with musl (Alpine): the Node.js that is installed with it needs glibc. Use a Linux with glibc (Debian, Ubuntu, Fedora; as an image node:24 and not node:24-alpine). ${WITHOUT_N8N}`;
	return undefined;
}
