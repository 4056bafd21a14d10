import type { INodeType } from 'n8n-workflow';

/** Makes a node of the package, by the name of its folder. */
export async function loadNode(folder: string): Promise<INodeType> {
	const module = (await import(`../../nodes/${folder}/${folder}.node.ts`)) as Record<
		string,
		new () => INodeType
	>;
	return new module[folder]();
}
