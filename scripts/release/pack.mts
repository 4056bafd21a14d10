/**
 * `npm run pack -- [folder]`: the package as a file to install. Unless its commit is a release, its version names the commit:
 * `0.1.0-dev.<commit>`.
 */
import { packPackage } from '../../host/package.mjs';
import { explainFailures } from '../base/processes.mjs';

explainFailures();
const [folder = '.'] = process.argv.slice(2);
console.log(await packPackage(folder));
