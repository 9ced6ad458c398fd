import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import tailwindcss from '@tailwindcss/vite';
import express from 'express';
import { defineConfig, type Connect, type Plugin } from 'vite';
import { prerenderLanding } from './prerender.ts';
import { toolSummariesPlugin } from './tool-summaries-plugin.ts';

const repository = fileURLToPath(new URL('..', import.meta.url));
const api = process.env['API_URL'] ?? 'http://127.0.0.1:3000';

/** The fonts of the first screen, which are preloaded. */
const firstFonts = /(fraunces-display|instrument-sans-latin-wght-normal).*\.woff2$/;

/** The modules that the start page and every other page need. */
const everyPage = new RegExp(
  [
    'node_modules/(react|react-dom|scheduler|react-router|react-router-dom|react-error-boundary|clsx)/',
    'node_modules/@tanstack/(query-core|react-query/build/modern/(QueryClientProvider|useBaseQuery|useQuery|suspense|errorBoundaryUtils|QueryErrorResetBoundary|IsRestoringProvider))',
    'node_modules/lucide-react/dist/esm/(createLucideIcon|Icon|context|defaultAttributes|shared/)',
    'web/src/app/(?!app-shell|site-app-shell|workspace-layout|tool-route|not-found-page|styles/)',
    'web/src/features/(site/|tools/[^/]+/tool\\.ts|tools/chat-with-pdf/chat-cache-keys\\.ts)',
    'web/src/shared/(paths|theme)\\.ts',
    'web/src/shared/(http|session)/',
    'web/src/shared/api/read-config\\.ts',
    'web/src/shared/drafts/(drafts|file-drafts)\\.ts',
    'web/src/shared/tools/(tool-pages|tool-summaries)\\.ts',
    'web/src/shared/ui/(button|spinner|logo|notice|avatar|theme-toggle|corner-marks|premium-badge|skip-link|section-links|page-errors)',
  ].join('|'),
);

const resolve = {
  alias: [
    { find: /^#libs\/(.*)\.js$/, replacement: `${repository}libs/$1.ts` },
    { find: /^zod$/, replacement: `${repository}web/src/shared/zod.ts` },
  ],
};

export default defineConfig(({ command }) => {
  // A test run builds for production too, with another NODE_ENV.
  if (command === 'build') process.env['NODE_ENV'] = 'production';
  return {
    root: fileURLToPath(new URL('.', import.meta.url)),
    plugins: [
      react(),
      tailwindcss(),
      preloadFonts(),
      toolSummariesPlugin(resolve),
      prerenderLanding(resolve),
      publicPageFonts(),
      pdfAssets(),
    ],
    resolve,
    build: {
      outDir: `${repository}dist/web`,
      emptyOutDir: true,
      // An inlined font or image would need `data:` in the content security policy.
      assetsInlineLimit: 0,
      rolldownOptions: {
        output: {
          codeSplitting: {
            groups: [
              { name: 'zod', test: /node_modules[\\/]zod[\\/]|shared[\\/]zod\.ts$/, priority: 2 },
              // One chunk for every page: forty small ones compress worse by a tenth.
              { name: 'start', test: everyPage, priority: 1 },
            ],
          },
        },
      },
    },
    server: {
      host: '127.0.0.1',
      port: Number(process.env['WEB_PORT'] ?? 5173),
      strictPort: true,
      proxy: {
        '/api': api,
        '/health': api,
        '/c/': api,
        '/socket.io': { target: api, ws: true },
      },
    },
  };
});

function preloadFonts(): Plugin {
  return {
    name: 'preload-fonts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((file) => firstFonts.test(file))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: true },
            injectTo: 'head-prepend' as const,
          })),
    },
  };
}

/** Emits `fonts.css`, with a stable name, for the public pages that the api renders. */
function publicPageFonts(): Plugin {
  return {
    name: 'public-page-fonts',
    apply: 'build',
    generateBundle(_options, bundle) {
      const source = Object.keys(bundle)
        .filter((file) => firstFonts.test(file))
        .map((file) => {
          const family = file.includes('fraunces') ? 'Fraunces' : 'Instrument Sans';
          return `@font-face { font-family: '${family}'; font-weight: 100 900; font-display: swap; src: url('/${file}') format('woff2') }\n`;
        })
        .join('');
      this.emitFile({ type: 'asset', fileName: 'fonts.css', source });
    },
  };
}

/** Serves the files that pdfjs-dist fetches: character maps, standard fonts, and decoders without WebAssembly. */
function pdfAssets(): Plugin {
  const source = `${repository}node_modules/pdfjs-dist/`;
  return {
    name: 'pdf-assets',
    // Express accepts the requests of Node.js.
    configureServer: (server) =>
      void server.middlewares.use('/pdf', express.static(source) as unknown as Connect.NextHandleFunction),
    generateBundle() {
      for (const folder of ['cmaps', 'standard_fonts', 'wasm'])
        for (const name of readdirSync(`${source}${folder}`))
          if (!name.endsWith('.wasm'))
            this.emitFile({
              type: 'asset',
              fileName: `pdf/${folder}/${name}`,
              source: readFileSync(`${source}${folder}/${name}`),
            });
    },
  };
}
