#!/bin/sh
# Dumps the database of DATABASE_URL into BACKUP_FOLDER, restores the dump into a temporary server, and prints the numbers of
# rows of some tables. A dump that cannot be restored, or has no migrations, is deleted. Needs the programs of PostgreSQL, not
# older than the server, and room for the database in CHECK_FOLDER.
set -eu
backups=${BACKUP_FOLDER:-/backups}
check=${CHECK_FOLDER:-/check}
dump=$backups/pressroom-$(date -u +%Y%m%dT%H%M%SZ).dump
counts="SELECT 'users', count(*) FROM users UNION ALL SELECT 'creations', count(*) FROM creations
  UNION ALL SELECT 'credit_entries', count(*) FROM credit_entries UNION ALL SELECT 'migrations', count(*) FROM migrations"

clean_up() {
  if [ -e "$check/data/postmaster.pid" ]; then pg_ctl --pgdata="$check/data" --silent --mode=immediate stop >/dev/null; fi
  rm -rf "$check/data" "$dump.part"
}
trap clean_up EXIT
trap 'exit 1' HUP INT TERM

pg_dump --format=custom --file="$dump.part" "$DATABASE_URL"

rm -rf "$check/data"
initdb --pgdata="$check/data" --auth=trust --encoding=UTF8 >/dev/null
pg_ctl --pgdata="$check/data" --silent --wait --options="-k $check -c listen_addresses='' -c fsync=off" start >/dev/null
createdb --host="$check" restored
pg_restore --host="$check" --dbname=restored --no-owner --no-privileges --exit-on-error "$dump.part"
psql --host="$check" --dbname=restored --no-align --tuples-only --command="$counts"
migrations=$(psql --host="$check" --dbname=restored --no-align --tuples-only --command='SELECT count(*) FROM migrations')
[ "$migrations" -gt 0 ]

mv "$dump.part" "$dump"
find "$backups" -name 'pressroom-*.dump' -mtime "+${BACKUP_DAYS:-14}" -delete
echo "restored and kept $dump"
