import { createHash } from 'node:crypto';

/** The SHA-256 of a text, as base64url. n8n's database holds such hashes, so they never change. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');
