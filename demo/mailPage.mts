/**
 * The demo's mailbox in a browser: puts a file of one's own into the mailbox for receipts, as an e-mail, and shows all e-mails
 * of this start. On this machine only, and with a login, because whoever sends a receipt here has it booked.
 */
import { timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastify, { type FastifyRequest } from 'fastify';
import PostalMime from 'postal-mime';
import { createTransport, type Transporter } from 'nodemailer';
import { type Mail, RECEIPTS } from './mailbox.mjs';
import { restrictAccess } from '../sandbox/admin/access.mjs';
import { onFreePort } from '../scripts/base/ports.mjs';

/** The largest file that the page takes, as large as e-mail providers do. */
const MOST_BYTES = 25 * 1024 * 1024;
const HOST = '127.0.0.1';

/**
 * What an e-mail's own page may do: open links in another tab, so that a form's link works. Nothing in it runs, and nothing is
 * loaded from elsewhere.
 */
const EMAIL_POLICY =
	"sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:";

export interface MailPage {
	url: string;
	stop(): Promise<void>;
}

interface NewEmail {
	from: string;
	subject: string;
	text: string;
	/** The attached file's name; none without a file. */
	file: string;
}

/**
 * @param port preferred; if it is taken, a free one is used
 * @param login what the browser asks for
 */
export async function startMailPage(
	mail: Pick<Mail, 'messages' | 'credentials'>,
	login: Record<'user' | 'password', string>,
	port?: number,
): Promise<MailPage> {
	const app = fastify({ bodyLimit: MOST_BYTES });
	restrictAccess(app, { host: HOST, allowedHosts: [] });
	app.addHook('onRequest', async (request, reply) => {
		if (hasLogin(request, login)) return;
		await reply
			.code(401)
			.header('www-authenticate', 'Basic realm="Demo mailbox", charset="UTF-8"')
			.send('Login required');
	});
	// A file is sent as it is.
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

	const page = await readFile(join(import.meta.dirname, 'mailPage.html'), 'utf8');
	app.get('/', async (_request, reply) => await reply.type('text/html').send(page));

	app.get('/emails', () =>
		mail.messages
			.map(({ email: { from, to, subject, attachments }, at }, number) => ({
				number,
				at: at.toISOString(),
				from,
				to,
				subject,
				attachments: attachments.map(({ dateiname, size }) => ({ dateiname, size })),
			}))
			.reverse(),
	);
	app.get<{ Params: { number: string } }>('/emails/:number', async ({ params }, reply) => {
		const message = mail.messages[Number(params.number)];
		if (!message) return await reply.code(404).send('No such e-mail');
		const { html, text } = message.email;
		return await reply
			.type('text/html')
			.header('content-security-policy', EMAIL_POLICY)
			.send(`<!doctype html><meta charset="utf-8"><base target="_blank">${html || asHtml(text)}`);
	});
	app.get<{ Params: Record<'number' | 'attachment', string> }>(
		'/emails/:number/attachments/:attachment',
		async ({ params }, reply) => {
			const message = mail.messages[Number(params.number)];
			const attachment =
				message && (await PostalMime.parse(message.raw)).attachments[Number(params.attachment)];
			if (!attachment) return await reply.code(404).send('No such file');
			return await reply
				.type('application/octet-stream')
				.header(
					'content-disposition',
					`attachment; filename*=UTF-8''${encodeURIComponent(attachment.filename ?? 'file')}`,
				)
				.send(Buffer.from(attachment.content as ArrayBuffer));
		},
	);

	const post = outbox(mail);
	app.post<{ Querystring: NewEmail }>('/emails', async ({ query, body }, reply) => {
		const { from, subject, text, file } = query;
		const content = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
		await post.sendMail({
			from,
			to: RECEIPTS,
			subject,
			text,
			attachments: file ? [{ filename: file, content }] : [],
		});
		return await reply.code(204).send();
	});

	return await onFreePort([port], async (one) => ({
		url: await app.listen({ host: HOST, port: one }),
		stop: async () => {
			post.close();
			await app.close();
		},
	}));
}

/** Sends through the demo's own server, as any e-mail program would. */
function outbox({ credentials }: Pick<Mail, 'credentials'>): Transporter {
	const { user, password, host, port } = credentials.smtp.data as Record<string, string>;
	return createTransport({ host, port: Number(port), ignoreTLS: true, auth: { user, pass: password } });
}

function hasLogin(
	{ headers }: FastifyRequest,
	{ user, password }: Record<'user' | 'password', string>,
): boolean {
	const wanted = Buffer.from(`Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`);
	const given = Buffer.from(headers.authorization ?? '');
	return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** Text as a page, whose links can be clicked. */
function asHtml(text: string): string {
	const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
	const linked = escaped.replaceAll(/https?:\/\/[^\s"<>]+/g, (url) => `<a href="${url}">${url}</a>`);
	return `<pre style="font: 15px/1.45 system-ui, sans-serif; white-space: pre-wrap; overflow-wrap: anywhere">${linked}</pre>`;
}
