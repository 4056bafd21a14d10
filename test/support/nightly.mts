/** Whether the tests on a real n8n run in full: `NIGHTLY=true`. By day, what takes long and rarely breaks is left out. */
export const NIGHTLY = process.env.NIGHTLY === 'true';
