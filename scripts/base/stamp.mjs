/** The file that says which sources `dist/` was built from. */
export const STAMP = 'tmp/build.sha256';
