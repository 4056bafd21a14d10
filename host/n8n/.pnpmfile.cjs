// n8n's peers are n8n's own affair: pnpm would install a package once more for each set of peers.
module.exports = {
	hooks: { readPackage: (manifest) => ({ ...manifest, peerDependencies: {}, peerDependenciesMeta: {} }) },
};
