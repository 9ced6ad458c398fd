#!/usr/bin/env bash
# Pins every public image of Dockerfile and docker-compose.yml to the current digest of its tag: `name:tag@sha256:…`.
# Requires Docker and access to the registries. Renovate does the same by pull request; run this script without Renovate.
set -euo pipefail
cd "$(dirname "$0")/.."
images=$(sed -nE 's/^ARG [A-Z]+_IMAGE=([^ @]+)(@.*)?$/\1/p; s/^ +image: ([a-z][^ @$]*)(@.*)?$/\1/p' Dockerfile docker-compose.yml | sort -u)
for image in $images; do
  digest=$(docker buildx imagetools inspect "$image" --format '{{.Manifest.Digest}}')
  [[ $digest =~ ^sha256:[0-9a-f]{64}$ ]] || { echo "$image has no digest: $digest" >&2; exit 1; }
  sed -i -E "s|^(ARG [A-Z]+_IMAGE=\|^ +image: )${image//./\\.}(@.*)?\$|\1$image@$digest|" Dockerfile docker-compose.yml
  echo "$image@$digest"
done
