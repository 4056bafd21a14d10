/** The test of a credential, as n8n runs it when it is saved. */
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { testAccountingGatewayApi } from '../../nodes/shared/form/credentialTest.js';
import { CredentialTestContext } from '../../host/engine.mjs';
import { partial } from '../../host/partial.mjs';

/** @param data one of its own making may lack fields */
export const testCredential = async (data: object) =>
	await testAccountingGatewayApi.call(new CredentialTestContext(partial({})), {
		id: '1',
		name: 'Gateway',
		type: 'accountingGatewayApi',
		data: data as ICredentialDataDecryptedObject,
	});
