import { expect, it } from 'vitest';

import type { Operation } from '../../../../nodes/shared/operation.js';
import { collection } from '../../../../nodes/shared/parameters/collection.js';
import type { InputItem, Issue } from '../../../../nodes/shared/parameters/inputItem.js';
import { text } from '../../../../nodes/shared/parameters/text.js';
import { addFieldIssue } from '../../../../nodes/shared/run/fieldIssue.js';
import { partial } from '../../../support/partial.mjs';

const members = { a: text({ displayName: 'First' }), b: text({ displayName: 'Second' }) };
const operation = partial<Operation>({
	kind: 'local',
	parameters: {
		more: collection(members, { displayName: 'More', placeholder: 'Add' }),
		b1: text({ displayName: 'Last' }),
	},
});

it.each([
	['b', 'Second'],
	['b1', 'Last'],
	['elsewhere', 'elsewhere'],
])('a problem of %s is shown as that of %s', (field, title) => {
	const issues: Issue[] = [];
	addFieldIssue(partial<InputItem>({ issues }), operation, field, '7', 'is wrong');
	expect(issues).toEqual([{ field, title, value: '7', rule: 'is wrong' }]);
});
