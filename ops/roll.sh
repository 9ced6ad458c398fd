#!/bin/sh
# Replaces the containers of a service without downtime: starts the same number of new containers, and when they are ready,
# stops the old containers one by one. Each finishes or returns its jobs within its grace period. Run it in the folder of
# docker-compose.yml:
#   docker compose build && docker compose run --rm --no-deps migrate && ops/roll.sh worker api
set -eu

[ $# -gt 0 ] || { echo "Name the services to replace, such as: $0 worker api" >&2; exit 2; }

for service in "$@"; do
  old=$(docker compose ps --quiet "$service")
  count=$(printf '%s\n' "$old" | grep -c . || true)
  [ "$count" -gt 0 ] || { echo "$service: nothing runs." >&2; exit 1; }
  echo "$service: starting $count beside the $count that run"
  docker compose up --detach --no-deps --no-recreate --wait --scale "$service=$((2 * count))" "$service"
  for container in $old; do
    echo "$service: stopping $(printf %.12s "$container")"
    docker stop "$container" >/dev/null
    docker rm "$container" >/dev/null
  done
  echo "$service: renewed"
done
