/** How long a test waits for n8n, in milliseconds. None is about n8n's speed: a busy machine must not fail what an idle one passes. */
export const PATIENCE_MS = 90_000;
