import { readFileSync, rmSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { rolldown } from 'rolldown';
import { inRoot } from './root.ts';

/*
 * Bundles the compiled api and worker, with their packages, into a few files each, because a program starts slowly when it
 * reads thousands of files.
 */

/** Packages that read files of their own folder, contain native code, or must be the same for CommonJS and ES modules. */
const EXTERNAL =
  /^(@bull-board|@techstark\/opencv-js|dictionary-en|harper\.js|ioredis|pg|pg-native|pg-pool|pino|pino-http|piscina|sharp|swagger-ui-dist)(\/|$)/;

const OWN = /\/dist\/(api|worker|libs)\/.*\.js$/;

const bundle = await rolldown({
  cwd: inRoot(),
  input: { api: 'dist/api/main.js', worker: 'dist/worker/main.js' },
  platform: 'node',
  external: (id) => isBuiltin(id) || EXTERNAL.test(id),
  plugins: [
    {
      name: 'source-maps-of-the-compiler',
      load: {
        filter: { id: OWN },
        handler: (id) => ({ code: readFileSync(id, 'utf8'), map: readFileSync(`${id}.map`, 'utf8') }),
      },
    },
  ],
  // Optional packages that are not installed, and an `eval` of a package.
  onLog: (level, log, handle) => {
    if (log.code !== 'UNRESOLVED_IMPORT' && log.code !== 'EVAL') handle(level, log);
  },
});
rmSync(inRoot('dist/chunks'), { recursive: true, force: true });
await bundle.write({
  dir: 'dist',
  entryFileNames: '[name]/main.js',
  chunkFileNames: 'chunks/[name]-[hash].js',
  // Nest names providers in its messages by their classes.
  keepNames: true,
  sourcemap: true,
  sourcemapExcludeSources: true,
  // Separate chunks for packages, so that an error in our own files does not decode the long source maps of packages.
  codeSplitting: { groups: [{ name: 'packages', test: /node_modules/, entriesAware: true }] },
});
