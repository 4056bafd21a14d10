/** The mailboxes of `npm start`. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';

import { PASSWORD, RECEIPTS, startImap } from '../../demo/mailbox.mjs';

it('an e-mail is told of at once, also to a client that doesn’t idle', async () => {
	const imap = await startImap();
	const socket = connect(imap.port, '127.0.0.1');
	try {
		await once(socket, 'connect');
		const lines = createInterface(socket)[Symbol.asyncIterator]();
		const nextLine = async (start: string) => {
			for (;;) {
				const { value } = (await lines.next()) as { value: string };
				if (value.startsWith(start)) return value;
			}
		};
		socket.write(`1 LOGIN ${RECEIPTS} ${PASSWORD}\r\n`);
		await nextLine('1 OK');
		socket.write('2 SELECT INBOX\r\n');
		await nextLine('2 OK');
		await imap.store(Buffer.from('Subject: Rechnung\r\n\r\nText\r\n'));
		expect(await nextLine('* 1')).toBe('* 1 EXISTS');
	} finally {
		socket.destroy();
		await imap.stop();
	}
}, 5_000);
