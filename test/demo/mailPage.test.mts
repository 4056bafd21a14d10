import axios from 'axios';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { type Mail, RECEIPTS, startMail } from '../../demo/mailbox.mjs';
import { type MailPage, startMailPage } from '../../demo/mailPage.mjs';

const LOGIN = { user: 'post', password: 'secret' };
/** No text: each byte must arrive. */
const FILE = Buffer.from(Array.from({ length: 256 }, (_, i) => i));

const kept: Buffer[] = [];
let mail: Mail;
let page: MailPage;
beforeAll(async () => {
	const store = (raw: Buffer) => void kept.push(raw);
	const imap = { port: 0, store, opened: () => 0, stop: async () => {} };
	mail = await startMail({ imap });
	page = await startMailPage(mail, LOGIN);
});
afterAll(async () => {
	await page.stop();
	await mail.stop();
});

const browser = (headers = {}) =>
	axios.create({
		baseURL: page.url,
		auth: { username: LOGIN.user, password: LOGIN.password },
		headers,
		validateStatus: () => true,
		proxy: false,
	});
const send = async (params: object, body: Buffer, headers = {}) =>
	await browser({ 'content-type': 'application/octet-stream', ...headers }).post('/emails', body, { params });

const EMAIL = { from: 'rechnung@papier-schmidt.example', subject: 'Rechnung März', text: 'Siehe Anhang' };

it('puts a file into the mailbox for receipts as an e-mail, and shows it', async () => {
	expect((await send({ ...EMAIL, file: 'Beleg „4711“.pdf' }, FILE)).status).toBe(204);
	expect(kept).toHaveLength(1);
	expect(mail.emails).toMatchObject([
		{ ...EMAIL, to: [RECEIPTS], attachments: [{ dateiname: 'Beleg „4711“.pdf', size: FILE.length }] },
	]);

	const { data } = await browser().get('/emails');
	expect(data).toMatchObject([{ number: 0, subject: EMAIL.subject, to: [RECEIPTS] }]);
	const file = await browser().get('/emails/0/attachments/0', { responseType: 'arraybuffer' });
	expect(Buffer.from(file.data as ArrayBuffer)).toEqual(FILE);
	expect((await browser().get('/')).data).toContain('<form>');
});

it('sends an e-mail without a file', async () => {
	await send({ ...EMAIL, subject: 'Ohne', file: '' }, Buffer.alloc(0));
	expect(mail.emails.at(-1)).toMatchObject({ subject: 'Ohne', attachments: [] });
});

it('shows an e-mail with links that work, and lets nothing in it run', async () => {
	await send(
		{ ...EMAIL, text: '<script>alert(1)</script> https://n8n.example/form?a=1', file: '' },
		Buffer.alloc(0),
	);
	const { data, headers } = await browser().get(`/emails/${mail.emails.length - 1}`);
	expect(data).toContain('<a href="https://n8n.example/form?a=1">');
	expect(data).not.toContain('<script>');
	expect(headers['content-security-policy']).toMatch(
		/^sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'/,
	);
});

it.each([
	['somebody without its login', { authorization: 'Basic cG9zdDpndWVzcw==' }, 401],
	['another site’s page', { origin: 'https://elsewhere.example' }, 403],
	['another site’s name for this address', { host: 'elsewhere.example' }, 403],
])('takes nothing from %s', async (_name, headers, status) => {
	const before = mail.emails.length;
	const answer = await axios.post(`${page.url}/emails`, FILE, {
		params: { ...EMAIL, file: 'a.pdf' },
		headers: {
			authorization: `Basic ${Buffer.from(`${LOGIN.user}:${LOGIN.password}`).toString('base64')}`,
			'content-type': 'application/octet-stream',
			...headers,
		},
		validateStatus: () => true,
		proxy: false,
	});
	expect(answer.status).toBe(status);
	expect(mail.emails).toHaveLength(before);
});
