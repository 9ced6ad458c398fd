#!/usr/bin/env bash
# Pins every public image of Dockerfile and docker-compose.yml to the digest that its tag has now: `name:tag@sha256:…`.
# Needs Docker and the registries. Renovate does the same by pull request; run it by hand where Renovate does not run.
set -euo pipefail
cd "$(dirname "$0")/.."
images=$(sed -nE 's/^ARG [A-Z]+_IMAGE=([^ @]+)(@.*)?$/\1/p; s/^ +image: ([a-z][^ @$]*)(@.*)?$/\1/p' Dockerfile docker-compose.yml | sort -u)
for image in $images; do
  digest=$(docker buildx imagetools inspect "$image" --format '{{.Manifest.Digest}}')
  [[ $digest =~ ^sha256:[0-9a-f]{64}$ ]] || { echo "$image has no digest: $digest" >&2; exit 1; }
  sed -i -E "s|^(ARG [A-Z]+_IMAGE=\|^ +image: )${image//./\\.}(@.*)?\$|\1$image@$digest|" Dockerfile docker-compose.yml
  echo "$image@$digest"
done
