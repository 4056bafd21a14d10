#!/bin/sh
# Backups of n8n's database, in the service "backup" of compose.yaml:
#
#   backup.sh                  makes a backup now, and one each day at BACKUP_AT (UTC)
#   backup.sh once             makes a backup now
#   backup.sh check            fails unless the newest backup is younger than 26 hours
#   backup.sh restore [file]   restores the named file, or standard input; stop n8n first. The backup is restored into a new
#                              database, which replaces the current one only when complete. The replaced one is kept.
#
# PGHOST, PGUSER and PGDATABASE select the database. After each new backup, those older than BACKUP_KEEP_DAYS are deleted, and the
# files that n8n forgets: it deletes files with their execution, but not those that came by a webhook or form. They go after
# FILES_KEEP_DAYS.
set -eu
# A backup is the whole database: only its owner may read it.
umask 077
folder=${BACKUP_FOLDER:-/backups}
keep=${BACKUP_KEEP_DAYS:-14}
at=${BACKUP_AT:-01:30}
files=${FILES_KEEP_DAYS:-30}
if [ -n "${PGPASSWORD_FILE:-}" ]; then
	PGPASSWORD=$(cat "$PGPASSWORD_FILE")
	export PGPASSWORD
fi

say() {
	echo "$(date -u +%FT%TZ) $*"
}

# The file gets its final name only when complete, so an interrupted backup is never mistaken for a good one.
once() {
	file="$folder/n8n-$(date -u +%F_%H%M%S).dump"
	rm -f "$folder"/*.part
	if pg_dump --format custom --file "$file.part" && pg_restore --list "$file.part" >/dev/null; then
		mv "$file.part" "$file"
		say "backed up: $file, $(wc -c <"$file") bytes"
		find "$folder" -name 'n8n-*.dump' -mtime "+$keep" -exec rm -f {} +
		psql --quiet --set ON_ERROR_STOP=1 --command "DO 'BEGIN IF to_regclass(''binary_data'') IS NOT NULL THEN
			DELETE FROM binary_data WHERE \"sourceType\" = ''execution'' AND \"sourceId\" = ''temp''
			AND \"createdAt\" < now() - make_interval(days => $files); END IF; END'"
	else
		rm -f "$file.part"
		say 'THE BACKUP FAILED; the earlier ones are kept'
		return 1
	fi
}

# Seconds until BACKUP_AT. Leading zeros are removed, because "08" would be an invalid octal number.
until_next() {
	hours=${at%%:*}
	minutes=${at##*:}
	now=$(date -u +%s)
	seconds=$((${hours#0} * 3600 + ${minutes#0} * 60 - now % 86400))
	[ $seconds -gt 0 ] || seconds=$((seconds + 86400))
	echo $seconds
}

case "${1:-daily}" in
daily)
	# The first process of a container ignores signals that it has no handler for.
	trap '[ -z "${waiting:-}" ] || kill "$waiting"; exit 0' TERM INT
	while :; do
		once || :
		sleep "$(until_next)" &
		waiting=$!
		wait "$waiting"
	done
	;;
once)
	once
	;;
check)
	find "$folder" -name 'n8n-*.dump' -mmin -1560 | grep -q .
	;;
restore)
	# A second restore in the same second has its own names.
	now=$(date -u +%Y%m%d_%H%M%S)_$$
	new="${PGDATABASE}_restored_$now"
	old="${PGDATABASE}_before_$now"
	createdb "$new"
	if ! pg_restore --dbname "$new" --no-owner --single-transaction --exit-on-error ${2:+"$folder/$(basename "$2")"}; then
		dropdb "$new"
		say 'NOTHING WAS RESTORED; the database is as it was'
		exit 1
	fi
	# Fails if the database is still in use, e.g. by a running n8n.
	if ! psql --dbname postgres --quiet --set ON_ERROR_STOP=1 --single-transaction \
		--command "ALTER DATABASE \"$PGDATABASE\" RENAME TO \"$old\"" \
		--command "ALTER DATABASE \"$new\" RENAME TO \"$PGDATABASE\""; then
		dropdb "$new"
		say 'NOTHING WAS RESTORED: is n8n still running?'
		exit 1
	fi
	say "restored: ${2:-from the input}; what was there before is the database $old"
	say "to remove it: docker compose exec postgres dropdb --username $PGUSER $old"
	;;
*)
	sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
	exit 2
	;;
esac
