#!/bin/sh
# sh prepare.sh, for one container "sh prepare.sh single" or "sh ../prepare.sh single": creates the files that compose.yaml needs and
# that don't belong in a repository, unless they exist: the secrets, and .env with the token of the task runners. Whatever the umask, the containers can read their files, and other users of this
# machine can't read the secrets.
set -eu
cd "$(dirname "$0")"
chmod a+r Caddyfile backup.sh single/backup.mjs
names=encryption_key
[ -n "${1:-}" ] || names="$names postgres_password redis_password"
cd "./${1:-}"
umask 077

random() {
	od -An -N24 -tx1 /dev/urandom | tr -d ' \n'
}

mkdir -p secrets
# The folder keeps other users of this machine out; its files are mounted one by one, readable for the containers' users.
chmod 700 secrets
for name in $names; do
	[ -s "secrets/$name" ] || random >"secrets/$name"
	chmod 644 "secrets/$name"
done

touch .env
chmod 600 .env
if ! grep -q '^N8N_RUNNERS_AUTH_TOKEN=.' .env; then
	[ -z "$(tail -c 1 .env)" ] || echo >>.env
	echo "N8N_RUNNERS_AUTH_TOKEN=$(random)" >>.env
fi

echo 'Keep a copy of secrets/ elsewhere: without the encryption key, nobody can read the credentials.'
