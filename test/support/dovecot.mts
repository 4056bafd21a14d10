/** A test's own Dovecot, Debian's IMAP server, with settings and e-mails in a temporary folder. */
import { randomUUID } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';

import { type ImapServer, PASSWORD, RECEIPTS } from '../../demo/mailbox.mjs';
import { waitFor } from '../../scripts/base/waiting.mjs';
import { freePort } from '../../scripts/base/ports.mjs';
import { OWN_PORTS } from './ownPorts.mjs';

/** In the log, when a client has opened the mailbox. */
const OPENED = 'Mailbox opened';

export async function startDovecot(): Promise<ImapServer> {
	const folder = await mkdtemp(join(tmpdir(), 'dovecot-'));
	const port = await freePort(OWN_PORTS);
	// E-mails are stored as the user `mail`, because Dovecot refuses to store them as root.
	const asRoot = process.getuid?.() === 0;
	const user = asRoot ? 'mail' : userInfo().username;
	const group = asRoot ? 'mail' : (await execa('id', ['--group', '--name'])).stdout;
	const inbox = join(folder, 'mail');
	const log = join(folder, 'dovecot.log');
	for (const part of ['new', 'cur', 'tmp']) await mkdir(join(inbox, part), { recursive: true });
	await writeFile(join(folder, 'users'), `${RECEIPTS}:{PLAIN}${PASSWORD}::::::\n`);
	await writeFile(
		join(folder, 'dovecot.conf'),
		`
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${log}
mail_debug = yes
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
mail_location = maildir:${inbox}
first_valid_uid = 1
${asRoot ? '' : `default_internal_user = ${user}\ndefault_internal_group = ${group}\ndefault_login_user = ${user}\n`}
passdb {
  driver = passwd-file
  args = scheme=PLAIN ${folder}/users
}
userdb {
  driver = static
  args = uid=${user} gid=${group} home=${folder}/home
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
`,
	);
	if (asRoot) {
		await chmod(folder, 0o755);
		await execa('chown', ['--recursive', `${user}:${user}`, inbox]);
	}
	const path = [process.env.PATH, '/usr/sbin'].join(':');
	const server = execa('dovecot', ['-F', '-c', join(folder, 'dovecot.conf')], {
		env: { PATH: path },
		all: true,
		reject: false,
	});
	await waitFor(() => answers(port), { interval: 100, timeout: 20_000 });
	return {
		port,
		store: async (raw) => {
			// As every server delivers to such a folder: written beside it, then moved.
			const name = `${Date.now()}.${randomUUID()}.test`;
			await writeFile(join(inbox, 'tmp', name), raw, { mode: 0o666 });
			if (asRoot) await execa('chown', [`${user}:${user}`, join(inbox, 'tmp', name)]);
			await rename(join(inbox, 'tmp', name), join(inbox, 'new', name));
		},
		opened: async () => (await readFile(log, 'utf8')).split(OPENED).length - 1,
		stop: async () => {
			server.kill('SIGTERM');
			await server;
			await rm(folder, { recursive: true, force: true });
		},
	};
}

const answers = async (port: number): Promise<boolean> =>
	await new Promise((done) => {
		const socket = connect(port, '127.0.0.1', () => {
			socket.destroy();
			done(true);
		});
		socket.once('error', () => done(false));
	});
