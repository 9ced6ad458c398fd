import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import tailwindcss from '@tailwindcss/vite';
import express from 'express';
import { defineConfig, type Connect, type Plugin } from 'vite';
import { compressFiles } from './compress-plugin.ts';
import { contractPlugin } from './contract-plugin.ts';
import { preloadsPlugin } from './preloads-plugin.ts';
import { prerenderLanding } from './prerender.ts';
import { previousBuilds } from './previous-builds-plugin.ts';
import { toolSummariesPlugin } from './tool-summaries-plugin.ts';

const repository = fileURLToPath(new URL('..', import.meta.url));
const api = process.env['API_URL'] ?? 'http://127.0.0.1:3000';

/** The fonts that are visible first, which index.html preloads. */
const firstFonts = /(fraunces-display|instrument-sans-latin-wght-normal).*\.woff2$/;

/** Modules that all pages need, including the start page. */
const everyPage = new RegExp(
  [
    'node_modules/(react|react-dom|scheduler|react-router|react-router-dom|react-error-boundary|clsx)/',
    'node_modules/@tanstack/(query-core|react-query/build/modern/(QueryClientProvider|useBaseQuery|useQuery|suspense|errorBoundaryUtils|QueryErrorResetBoundary|IsRestoringProvider))',
    'node_modules/lucide-react/dist/esm/(createLucideIcon|Icon|context|defaultAttributes|shared/|icons/(check|refresh-cw)\\.)',
    'web/src/app/(?!app-shell|site-app-shell|workspace-layout|live/|styles/)',
    'web/src/features/(site/|tools/[^/]+/tool\\.ts|tools/chat-with-pdf/chat-cache-keys\\.ts)',
    'web/src/shared/(paths|theme)\\.ts',
    'web/src/shared/http/',
    'web/src/shared/account/(accounts|use-http|use-sign-out|read-config)\\.ts',
    'web/src/shared/drafts/(drafts|file-drafts)\\.ts',
    'web/src/shared/tools/(tool-pages|tool-summaries)\\.ts',
    'web/src/shared/ui/(button|spinner|logo|notice|avatar|theme-toggle|corner-marks|premium-badge|progress-bar|field-frame|text-field|page-heading|skip-link|section-links|page-errors)',
  ].join('|'),
);

/**
 * Chunks that several pages share. A chunk has its root modules and everything that they import, unless an earlier chunk in
 * this list has it. Fewer, larger files load faster: sixty small files take ten round trips over HTTP/1.1 and are 10% larger
 * when compressed.
 */
const chunks = [
  { name: 'zod', roots: /node_modules\/zod\/|shared\/zod\.ts$|libs\/contract\/engine\.ts$/ },
  { name: 'start', roots: everyPage },
  { name: 'local-session', roots: /web\/src\/features\/account\/local\/local-session\.tsx$/ },
  { name: 'toasts', roots: /node_modules\/react-hot-toast\// },
  {
    name: 'workspace',
    roots:
      /web\/src\/app\/workspace-layout\.tsx$|web\/src\/shared\/ui\/select\.tsx$|libs\/contract\/batches\.ts$/,
  },
  {
    name: 'creations',
    roots:
      /web\/src\/(modules\/(creations\/(creation-actions|versions\/versions)|image-editor\/(publish-actions|image-versions|download-button|cut-out\/edit-cut-out)|submission\/results\/engine-note|text-editor\/(editable-text|use-text-editing|export\/export-action)|runs\/lists\/recent-runs)|shared\/(markdown\/markdown|ui\/copy-button|lib\/(use-focus-keeper|save-file)))\.tsx?$/,
  },
  {
    name: 'tools',
    roots:
      /web\/src\/modules\/submission\/(results\/(use-tool-run|tool-page|text-tool-page)|form\/(submit-section|use-submission|use-tool-form))\.tsx?$/,
  },
  { name: 'files', roots: /web\/src\/modules\/submission\/files\/file-field\.tsx$/ },
  {
    name: 'images',
    roots:
      /web\/src\/modules\/(image-editor\/image-result-pane|image-editor\/image-editor-page|runs\/batches\/batch-offer)\.tsx$/,
  },
  {
    name: 'forms',
    roots:
      /node_modules\/(react-hook-form|@hookform)\/|web\/src\/shared\/(drafts\/use-(draft|form-fill)\.ts|ui\/text-area-field\.tsx)$/,
  },
  { name: 'brief', roots: /web\/src\/modules\/submission\/brief\/brief-fields\.tsx$/ },
  { name: 'markdown', roots: /web\/src\/shared\/markdown\/rendered-markdown\.tsx$/ },
];

const resolve = {
  alias: [
    { find: /^#libs\/(.*)\.js$/, replacement: `${repository}libs/$1.ts` },
    {
      find: /^events$/,
      replacement: `${repository}web/src/modules/text-editor/export/event-emitter.ts`,
    },
    { find: /^fflate$/, replacement: `${repository}web/src/modules/text-editor/export/fflate.ts` },
  ],
};

export default defineConfig(({ command }) => {
  // Tests run the build with another NODE_ENV, but must get the production build too.
  if (command === 'build') process.env['NODE_ENV'] = 'production';
  return {
    root: fileURLToPath(new URL('.', import.meta.url)),
    plugins: [
      react(),
      tailwindcss(),
      preloadFonts(),
      hashThemeScript(),
      preloadsPlugin(),
      compressFiles(),
      previousBuilds(`${repository}dist/web-builds.json`),
      configuredZod(),
      contractPlugin(resolve),
      toolSummariesPlugin(resolve),
      prerenderLanding(resolve),
      publicPageFonts(),
      pdfAssets(),
    ],
    resolve,
    build: {
      outDir: `${repository}dist/web`,
      emptyOutDir: false,
      // Don't inline fonts and images as data URLs, which our content security policy forbids.
      assetsInlineLimit: 0,
      rolldownOptions: {
        // These modules have no side effects, so the bundler can drop modules from which a page uses nothing.
        treeshake: {
          moduleSideEffects: [{ test: /libs\/(contract|tools)\//, sideEffects: false }],
        },
        output: {
          codeSplitting: {
            groups: chunks.map(({ name, roots }, index) => ({
              name,
              test: roots,
              priority: chunks.length - index,
            })),
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

/**
 * Adds a content hash to the file name of theme.js, which runs before the first paint, so that browsers can cache it
 * forever.
 */
function hashThemeScript(): Plugin {
  return {
    name: 'hash-theme-script',
    apply: 'build',
    buildStart() {
      const source = readFileSync(new URL('public/theme.js', import.meta.url));
      this.emitFile({ type: 'asset', name: 'theme.js', source });
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const file = Object.keys(bundle ?? {}).find((name) => /^assets\/theme-[^/]+\.js$/.test(name));
        if (file === undefined || !html.includes('"/theme.js"')) throw new Error('There is no theme.js.');
        return html.replace('"/theme.js"', `"/${file}"`);
      },
    },
  };
}

/**
 * Makes the client import zod through src/shared/zod.ts, which configures zod. The contract still imports zod directly, so
 * that pages without schemas don't load it. Both modules are in one chunk.
 */
function configuredZod(): Plugin {
  return {
    name: 'configured-zod',
    enforce: 'pre',
    resolveId: (source, importer) =>
      source === 'zod' && importer?.startsWith(`${repository}web/src/`)
        ? `${repository}web/src/shared/zod.ts`
        : null,
  };
}

/** Emits `fonts.css`, without a hash in its name, for the public pages that the api renders. */
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

/**
 * Serves files that pdfjs-dist fetches at run time: character maps, standard fonts, and image decoders without WebAssembly.
 */
function pdfAssets(): Plugin {
  const source = `${repository}node_modules/pdfjs-dist/`;
  return {
    name: 'pdf-assets',
    // The cast is safe: Express handlers accept Node.js requests, which Vite's middleware passes.
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
