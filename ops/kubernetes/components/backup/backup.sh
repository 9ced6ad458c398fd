#!/bin/sh
# Dumps the database of DATABASE_DIRECT_URL, or else of DATABASE_URL, into BACKUP_FOLDER, restores the dump into a temporary
# server, and prints the numbers of rows of some tables. A dump that cannot be restored, or has no migrations, is named
# .dump.failed; only the newest of these is kept. Needs the programs of PostgreSQL, not older than the server, and room for the
# database in CHECK_FOLDER.
set -eu
backups=${BACKUP_FOLDER:-/backups}
check=${CHECK_FOLDER:-/check}
url=${DATABASE_DIRECT_URL:-$DATABASE_URL}
dump=$backups/pressroom-$(date -u +%Y%m%dT%H%M%SZ).dump
is_dumped=false
counts="SELECT 'users', count(*) FROM users UNION ALL SELECT 'creations', count(*) FROM creations
  UNION ALL SELECT 'credit_entries', count(*) FROM credit_entries UNION ALL SELECT 'migrations', count(*) FROM migrations"

clean_up() {
  if [ -e "$check/data/postmaster.pid" ]; then pg_ctl --pgdata="$check/data" --silent --mode=immediate stop >/dev/null; fi
  rm -rf "$check/data" "$check/extensions" "$check/list"
  if [ -e "$dump.part" ] && $is_dumped; then
    mv "$dump.part" "$dump.failed"
    echo "not restored, but kept: $dump.failed" >&2
  fi
  rm -f "$dump.part"
}
trap clean_up EXIT
trap 'exit 1' HUP INT TERM

query() { psql --host="$check" --dbname=restored --no-align --tuples-only --command="$1"; }

# Makes room first, but keeps the newest restored dump at any age.
newest=$(find "$backups" -name 'pressroom-*.dump' | sort | tail -n 1)
rm -f "$backups"/pressroom-*.dump.part
find "$backups" -name 'pressroom-*.dump*' ! -path "$newest" -mtime "+${BACKUP_DAYS:-14}" -delete

pg_dump --format=custom --file="$dump.part" "$url"
is_dumped=true
rm -f "$backups"/pressroom-*.dump.failed

rm -rf "$check/data"
initdb --pgdata="$check/data" --auth=trust --encoding=UTF8 >/dev/null
pg_ctl --pgdata="$check/data" --silent --wait --options="-k $check -c listen_addresses='' -c fsync=off" start >/dev/null
createdb --host="$check" restored
# Leaves out extensions of a managed database that this server does not have.
query 'SELECT name FROM pg_available_extensions' >"$check/extensions"
pg_restore --list "$dump.part" | awk '
  FNR == NR { available[$1]; next }
  $4 == "EXTENSION" && !($6 in available) { print "not restored: extension " $6; next }
  $4 == "COMMENT" && $6 == "EXTENSION" && !($7 in available) { next }
  { print >list }' list="$check/list" "$check/extensions" -
pg_restore --host="$check" --dbname=restored --use-list="$check/list" --no-owner --no-privileges --exit-on-error "$dump.part"
query "$counts"
[ "$(query 'SELECT count(*) FROM migrations')" -gt 0 ]

mv "$dump.part" "$dump"
echo "restored and kept $dump"
