#!/bin/sh
# Replaces the containers of a service without downtime: starts the same number of new containers, and when they are ready,
# stops the old containers one by one. Each finishes or returns its jobs within its grace period. If a new container does not become
# healthy, the new ones are stopped and removed, and the old ones stay. Run it in the folder of docker-compose.yml:
#   docker compose build && docker compose run --rm --no-deps migrate && ops/roll.sh
# Without names it replaces the worker services that run, then the api.
set -eu

if [ $# -eq 0 ]; then
  running=$(docker compose ps --services)
  for name in worker worker-text worker-image worker-pdf api; do
    printf '%s\n' "$running" | grep -qxF "$name" && set -- "$@" "$name"
  done
  [ $# -gt 0 ] || { echo "No worker and no api runs." >&2; exit 1; }
fi

# True once the container is healthy. `up --wait` would wait for the old containers too, which may be unhealthy.
is_healthy() {
  while :; do
    case $(docker inspect --format '{{.State.Health.Status}} {{.RestartCount}}' "$1") in
      healthy*) return 0 ;;
      'starting 0') sleep 1 ;;
      *) return 1 ;;
    esac
  done
}

list_new() {
  docker compose ps --all --quiet "$service" | grep -vF "$old"
}

# Some of them may serve already: they get their grace period.
remove_new() {
  new=$(list_new) || exit 1
  docker stop $new >/dev/null
  docker rm $new >/dev/null
  exit 1
}

for service in "$@"; do
  old=$(docker compose ps --quiet "$service")
  count=$(printf '%s\n' "$old" | grep -c . || true)
  [ "$count" -gt 0 ] || { echo "$service: nothing runs." >&2; exit 1; }
  # `--scale` counts stopped containers too. Those that restart belong to the old ones.
  stopped=$(docker compose ps --all --quiet --status created --status exited "$service")
  [ -z "$stopped" ] || docker rm $stopped >/dev/null
  echo "$service: starting $count beside the $count that run"
  docker compose up --detach --no-deps --no-recreate --scale "$service=$((2 * count))" "$service" || remove_new
  new=$(list_new)
  for container in $new; do
    is_healthy "$container" && continue
    echo "$service: $(printf %.12s "$container") does not become healthy. The end of its log:" >&2
    docker logs --tail 20 "$container" >&2
    remove_new
  done
  for container in $old; do
    echo "$service: stopping $(printf %.12s "$container")"
    docker stop "$container" >/dev/null
    docker rm "$container" >/dev/null
  done
  echo "$service: renewed"
done
