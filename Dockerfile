# Two images: `server` for api, worker and migrate (the command selects one), and `proxy` for the proxy in front of the apis.

# Renovate adds and updates digests here, and ops/pin-images.sh does it by hand. Releases are always built from digests.
ARG NODE_IMAGE=node:24-bookworm-slim
ARG DEBIAN_IMAGE=debian:bookworm-slim

# The compiled JavaScript is the same for every platform, so it is built once, on the builder's platform.
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Neither build nor programs need install scripts: native code comes as a package for each platform.
RUN npm ci --ignore-scripts

FROM packages AS web
COPY tsconfig.json .swcrc ./
COPY scripts scripts
COPY libs libs
COPY web web
RUN node scripts/stack/build-all.ts web

FROM packages AS servers
COPY tsconfig.json .swcrc ./
COPY scripts scripts
COPY libs libs
COPY api api
COPY worker worker
RUN node scripts/stack/build-all.ts servers \
 && find dist/scripts -mindepth 1 -maxdepth 1 ! -name 'cli*' ! -name 'prepare*' -exec rm -r {} +

# The image contains the models, so that a worker does not download them; see docs/models.md.
FROM servers AS models
RUN MODELS_DIR=/models node scripts/models/models.ts fetch && rm -rf /models/.fetching /models/.lock

FROM ${NODE_IMAGE} AS production-packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# npm keeps packages that are both optional peers and development dependencies (`devOptional`). These commands remove them,
# type declarations and source maps.
RUN npm ci --ignore-scripts --omit=dev \
 && node -p "const { packages } = require('./package-lock.json'); Object.keys(packages[''].devDependencies).map((name) => 'node_modules/' + name).filter((path) => packages[path].dev || packages[path].devOptional).join('\n')" | xargs rm -rf \
 && find node_modules/onnxruntime-node/bin -mindepth 2 -maxdepth 2 ! -path "*/linux" -path "*/napi-v*/*" -exec rm -r {} + \
 && find node_modules/onnxruntime-web/dist -type f ! -name 'ort.node*' ! -name 'ort-wasm-simd-threaded.mjs' ! -name 'ort-wasm-simd-threaded.wasm' -delete \
 && find node_modules/tesseract.js-core -type f -name 'tesseract-core*' ! -name '*lstm*' -delete \
 && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete

FROM ${NODE_IMAGE} AS server
# tini is process 1: it forwards signals, also before Node.js handles them, and reaps orphaned processes.
RUN apt-get update && apt-get install -y --no-install-recommends tini && rm -rf /var/lib/apt/lists/* && mkdir --mode=1777 /logs
COPY ops/log-to-files.pl /usr/local/bin/log-to-files
WORKDIR /app
ENV NODE_ENV=production NODE_OPTIONS="--enable-source-maps --max-semi-space-size=8" HOST=0.0.0.0 PORT=3000 DATA_DIR=/tmp/pressroom MODELS_DIR=/app/models
COPY package.json ./
COPY --from=production-packages /app/node_modules node_modules
COPY --from=servers /app/dist dist
COPY --from=web /app/dist/web dist/web
COPY --from=models /models /app/models
USER node
EXPOSE 3000
ENTRYPOINT ["/usr/bin/tini", "--"]
CMD ["node", "--max-old-space-size=512", "dist/api/main.js"]

FROM ${DEBIAN_IMAGE} AS proxy
RUN apt-get update && apt-get install -y --no-install-recommends haproxy && rm -rf /var/lib/apt/lists/* && mkdir --mode=1777 /logs
COPY ops/log-to-files.pl /usr/local/bin/log-to-files
COPY ops/proxy/haproxy.cfg /etc/haproxy/haproxy.cfg
USER haproxy
EXPOSE 8080
STOPSIGNAL SIGUSR1
ENTRYPOINT ["haproxy", "-db", "-f", "/etc/haproxy/haproxy.cfg"]
