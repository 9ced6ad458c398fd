#!/bin/sh
# Replaces the containers of a service without downtime: starts the same number of new containers, and when they are ready,
# stops the old containers one by one. Each finishes or returns its jobs within its grace period. Their logs are kept in the
# folder LOG_FOLDER (logs). Run it in the folder of docker-compose.yml:
#   docker compose build && docker compose run --rm --no-deps migrate && ops/roll.sh worker api
set -eu

[ $# -gt 0 ] || { echo "Name the services to replace, such as: $0 worker api" >&2; exit 2; }

logs=${LOG_FOLDER:-logs}
mkdir -p "$logs"

for service in "$@"; do
  old=$(docker compose ps --quiet "$service")
  count=$(printf '%s\n' "$old" | grep -c . || true)
  [ "$count" -gt 0 ] || { echo "$service: nothing runs." >&2; exit 1; }
  echo "$service: starting $count beside the $count that run"
  docker compose up --detach --no-deps --no-recreate --wait --scale "$service=$((2 * count))" "$service"
  for container in $old; do
    echo "$service: stopping $(printf %.12s "$container")"
    docker stop "$container" >/dev/null
    # The log of a container is deleted with it.
    docker logs "$container" 2>&1 | gzip >"$logs/$service-$(date -u +%Y%m%dT%H%M%SZ)-$(printf %.12s "$container").log.gz"
    docker rm "$container" >/dev/null
  done
  echo "$service: renewed"
done
