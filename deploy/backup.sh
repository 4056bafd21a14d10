#!/bin/sh
# Backups of n8n's database, in the service "backup" of compose.yaml:
#
#   backup.sh                  one now, and one each day at BACKUP_AT (UTC)
#   backup.sh once             one now
#   backup.sh check            is the newest one younger than 26 hours?
#   backup.sh restore [file]   puts one back, all or nothing, without a name the one on its input; n8n has to be stopped
#
# PGHOST, PGUSER and PGDATABASE say which database. Backups older than BACKUP_KEEP_DAYS are deleted after a new one is there.
set -eu
folder=${BACKUP_FOLDER:-/backups}
keep=${BACKUP_KEEP_DAYS:-14}
at=${BACKUP_AT:-01:30}
if [ -n "${PGPASSWORD_FILE:-}" ]; then
	PGPASSWORD=$(cat "$PGPASSWORD_FILE")
	export PGPASSWORD
fi

say() {
	echo "$(date -u +%FT%TZ) $*"
}

# One that is cut off has another name, and is never taken for a backup.
once() {
	file="$folder/n8n-$(date -u +%F_%H%M%S).dump"
	rm -f "$folder"/*.part
	if pg_dump --format custom --file "$file.part" && pg_restore --list "$file.part" >/dev/null; then
		mv "$file.part" "$file"
		say "backed up: $file, $(wc -c <"$file") bytes"
		find "$folder" -name 'n8n-*.dump' -mtime "+$keep" -exec rm -f {} +
	else
		rm -f "$file.part"
		say 'THE BACKUP FAILED; the earlier ones are kept'
		return 1
	fi
}

# Until BACKUP_AT, in seconds. "08" would be an octal number.
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
	# A container's first process gets no signal that it doesn't ask for.
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
	pg_restore --dbname "$PGDATABASE" --clean --if-exists --no-owner --single-transaction --exit-on-error \
		${2:+"$folder/$(basename "$2")"}
	say "restored: ${2:-from the input}"
	;;
*)
	sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
	exit 2
	;;
esac
