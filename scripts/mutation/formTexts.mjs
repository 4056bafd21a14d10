// Stryker's plugin for scripts/mutation/mutate.mts: leaves out the texts that the form shows for people to read. A test
// of them would only repeat them; test/nodes/form.test.mts checks the rules for them. Plain JavaScript, because Stryker
// loads it in its own processes.
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

const TEXTS = ['action', 'description', 'displayName', 'hint', 'placeholder'];

/**
 * Whether an expression is nothing but text.
 *
 * @param {{ type: string, [member: string]: any }} node
 * @returns {boolean}
 */
const isText = ({ type, left, right }) =>
	['StringLiteral', 'TemplateLiteral'].includes(type) ||
	(type === 'BinaryExpression' && isText(left) && isText(right));

const formTexts = {
	/** @param {any} path of Babel */
	shouldIgnore({ node: { type, key, value } }) {
		const isFormText = type === 'ObjectProperty' && TEXTS.includes(key.name) && isText(value);
		return isFormText ? 'A text of the form' : undefined;
	},
};

export const strykerPlugins = [declareValuePlugin(PluginKind.Ignore, 'formTexts', formTexts)];
