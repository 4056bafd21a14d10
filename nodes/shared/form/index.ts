/** The form made of parameters: properties, options, the lists behind locators, the credential test. */
export { testAccountingGatewayApi } from './credentialTest';
export { listSearchOf } from './listSearch';
export { germanHeadings, optionsWith, output, simplify } from './options';
export type { CommonOptions } from './options';
export { parametersOf, propertiesOf, subtitleOf } from './properties';
