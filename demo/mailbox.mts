/**
 * Mailboxes for n8n's e-mail nodes, in memory and on this machine only: SMTP accepts e-mails, IMAP serves the mailbox
 * for receipts. All other e-mails, e.g. those to an accountant, are available to the caller in `emails`.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import type { Server, Socket } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import type { Credential } from '../host/client.mjs';
import { onFreePort } from '../scripts/base/ports.mjs';

/** The mailbox that suppliers and employees send receipts to. */
export const RECEIPTS = 'belege@baeckerei-sonnenschein.example';
export const PASSWORD = 'mailbox-demo';

/** An e-mail that arrived. */
export interface Email {
	from: string;
	to: string[];
	subject: string;
	/** Of the header `Message-ID`, as n8n's node that sent it puts it out. */
	messageId: string;
	text: string;
	/** The same for a program that shows HTML; empty if there is none. */
	html: string;
	/** Attached files, described as in `expected.json`. */
	attachments: Array<{ dateiname: string; size: number; sha256: string }>;
}

/** The IMAP server that keeps the e-mails to the mailbox for receipts. */
export interface ImapServer {
	port: number;
	store(raw: Buffer): Promise<void> | void;
	/** How often somebody has opened a mailbox: from then on, he is told of new e-mails. */
	opened(): Promise<number> | number;
	stop(): Promise<void>;
}

export interface MailOptions {
	/** Preferred port of SMTP. If it is taken, a free one is used. */
	smtpPort?: number;
	/** IMAP server. Default: one in memory. */
	imap?: ImapServer;
	/** Each e-mail is also written to this folder, as a file that any e-mail program opens. */
	folder?: string;
}

export interface Mail {
	/** All e-mails that arrived, for any recipient, oldest first. */
	readonly emails: Email[];
	/** The same as they were sent, and when. */
	readonly messages: Array<{ email: Email; raw: Buffer; at: Date }>;
	/** n8n's credentials for both servers. */
	readonly credentials: Record<'imap' | 'smtp', Credential>;
	/** How often the mailbox for receipts was opened. */
	opened: ImapServer['opened'];
	stop(): Promise<void>;
}

export async function startMail({ smtpPort, imap, folder }: MailOptions = {}): Promise<Mail> {
	const inbox = imap ?? (await startImap());
	const emails: Email[] = [];
	const messages: Mail['messages'] = [];
	if (folder) await mkdir(folder, { recursive: true });
	const smtp = new SMTPServer({
		// The servers can only be reached from this machine, so no certificate is needed.
		disabledCommands: ['STARTTLS'],
		allowInsecureAuth: true,
		onAuth: ({ username, password }, _session, done) =>
			username === RECEIPTS && password === PASSWORD
				? done(null, { user: username })
				: done(new Error('Wrong user name or password')),
		onData: (stream, { envelope }, done) => {
			const to = envelope.rcptTo.map(({ address }) => address);
			const receive = async () => {
				const raw = await buffer(stream);
				if (to.includes(RECEIPTS)) await inbox.store(raw);
				const email = await readEmail(raw, to);
				emails.push(email);
				messages.push({ email, raw, at: new Date() });
				if (folder) await writeFile(join(folder, fileName(email, emails.length)), raw);
			};
			receive().then(() => done(), done);
		},
	});
	// A connection that breaks must not end this process. What keeps the server from listening is thrown below.
	smtp.on('error', () => {});
	const port = await listening(smtp.server, smtpPort);
	const account = { user: RECEIPTS, password: PASSWORD, host: HOST, secure: false };
	return {
		emails,
		messages,
		credentials: {
			imap: { name: 'Mailbox for receipts', type: 'imap', data: { ...account, port: inbox.port } },
			smtp: {
				name: 'Outgoing e-mail',
				type: 'smtp',
				data: { ...account, port, disableStartTls: true },
			},
		},
		opened: inbox.opened,
		stop: async () => {
			await new Promise<void>((done) => smtp.close(done));
			await inbox.stop();
		},
	};
}

const HOST = '127.0.0.1';

/** Lets a server listen on its preferred port, or on a free one if that is taken; returns the port. */
async function listening(server: Server, preferred?: number): Promise<number> {
	return await onFreePort([preferred], async (port) => {
		await once(server.listen(port, HOST), 'listening');
		return port;
	});
}

/** @param recipients from the envelope. Default: the recipients in the e-mail's header */
export async function readEmail(raw: Buffer, recipients?: string[]): Promise<Email> {
	const {
		from,
		to = [],
		subject = '',
		messageId = '',
		text = '',
		html = '',
		attachments,
	} = await PostalMime.parse(raw);
	return {
		from: from?.address ?? '',
		to: recipients ?? to.flatMap(({ address }) => address ?? []),
		subject,
		messageId,
		text: text.trim(),
		html,
		attachments: attachments.map(({ filename, content }) => {
			const bytes = Buffer.from(content as ArrayBuffer);
			const sha256 = createHash('sha256').update(bytes).digest('hex');
			return { dateiname: filename ?? '', size: bytes.length, sha256 };
		}),
	};
}

/** `003 Receipts not uploaded.eml` */
const fileName = ({ subject }: Email, number: number) =>
	`${String(number).padStart(3, '0')} ${subject.replaceAll(/[^\p{L}\p{N} .-]/gu, '').slice(0, 80)}.eml`;

/** The part of hoodiecrow-imap that is used here; it comes without types. */
interface Hoodiecrow {
	server: Server;
	appendMessage(path: string, flags: string[], received: Date, raw: string): void;
	getCommandHandler(command: string): CommandHandler;
	setCommandHandler(command: string, handler: CommandHandler): void;
}

type CommandHandler = (connection: { directNotifications: boolean }, ...rest: unknown[]) => void;

/**
 * Tells whoever has opened a mailbox of a new e-mail at once, as IMAP allows. By itself, the server waits until the client idles,
 * and n8n's client idles only 15 seconds after its last command.
 */
function notifyAtOnce(imap: Hoodiecrow, onOpen: () => void): void {
	const select = imap.getCommandHandler('SELECT');
	imap.setCommandHandler('SELECT', (connection, ...rest) => {
		connection.directNotifications = true;
		select(connection, ...rest);
		onOpen();
	});
}

/**
 * An IMAP server in memory.
 * @param preferredPort if it is taken, a free port is used
 */
export async function startImap(preferredPort?: number): Promise<ImapServer> {
	const hoodiecrow = createRequire(import.meta.url)('hoodiecrow-imap') as (options: object) => Hoodiecrow;
	let opened = 0;
	const imap = hoodiecrow({
		users: { [RECEIPTS]: { password: PASSWORD } },
		plugins: ['IDLE', 'UIDPLUS', (server: Hoodiecrow) => notifyAtOnce(server, () => opened++)],
		storage: { INBOX: {}, '': {} },
	});
	const sockets = new Set<Socket>();
	imap.server.on('connection', (socket) => {
		sockets.add(socket);
		socket.once('close', () => sockets.delete(socket));
	});
	return {
		port: await listening(imap.server, preferredPort),
		store: (raw) => imap.appendMessage('INBOX', [], new Date(), raw.toString('binary')),
		opened: () => opened,
		stop: async () => {
			const closed = new Promise((done) => imap.server.close(done));
			for (const socket of sockets) socket.destroy();
			await closed;
		},
	};
}
