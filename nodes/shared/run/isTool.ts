import type { IExecuteFunctions } from 'n8n-workflow';

/** Whether an AI agent calls the node. n8n's agents do that in two ways; only the older one sets it in the context. */
export function isTool(context: IExecuteFunctions): boolean {
	// Older versions of n8n have no function for this; they show it in the context.
	const { connectionType } = context as { connectionType?: string };
	const isContextOfTool = context.isToolExecution?.() ?? connectionType === 'ai_tool';
	return isContextOfTool || context.getNode().rewireOutputLogTo === 'ai_tool';
}
