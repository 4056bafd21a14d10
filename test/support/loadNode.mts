import type { INodeType } from 'n8n-workflow';

/** Creates a node of the package by its folder's name. */
export async function loadNode(folder: string): Promise<INodeType> {
	const module = (await import(`../../nodes/${folder}/${folder}.node.ts`)) as Record<
		string,
		new () => INodeType
	>;
	return new module[folder]();
}
