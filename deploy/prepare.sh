#!/bin/sh
# sh prepare.sh: makes what compose.yaml needs and no repository may have, unless it is there: the secrets, and .env with the
# token of the task runners. Whatever the umask, containers can read what they have to, and nobody else can read the secrets.
set -eu
cd "$(dirname "$0")"
umask 077

random() {
	od -An -N24 -tx1 /dev/urandom | tr -d ' \n'
}

mkdir -p secrets
# The folder keeps other users of this machine out; the files in it are mounted one by one, for users of the containers.
chmod 700 secrets
for name in encryption_key postgres_password; do
	[ -s "secrets/$name" ] || random >"secrets/$name"
	chmod 644 "secrets/$name"
done

touch .env
chmod 600 .env
if ! grep -q '^N8N_RUNNERS_AUTH_TOKEN=.' .env; then
	[ -z "$(tail -c 1 .env)" ] || echo >>.env
	echo "N8N_RUNNERS_AUTH_TOKEN=$(random)" >>.env
fi

chmod a+r Caddyfile backup.sh
echo 'Keep a copy of secrets/ elsewhere: without the encryption key, nobody can read the credentials.'
