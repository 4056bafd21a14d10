/**
 * How long tests wait for n8n, in milliseconds. They don't test n8n's speed: what passes on an idle machine must not
 * fail on a busy one.
 */
export const PATIENCE_MS = 90_000;
