/**
 * Whether the folder's last complete installation is what its lock file asks for. npm writes its list at the end, so
 * an interrupted installation doesn't count.
 */
export function isInstalled(folder: string): boolean;

/**
 * `npm ci` in the folder. Both folders' .npmrc switches install scripts off.
 * @param say told how many packages have been unpacked
 */
export function install(folder: string, say: (detail: string) => void): Promise<void>;

/** Runs npm in the folder; when it fails, throws what npm said last and what helps. */
export function npm(folder: string, ...args: string[]): Promise<void>;
