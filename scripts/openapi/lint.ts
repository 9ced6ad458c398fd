/** `node scripts/openapi/lint.ts`: checks the OpenAPI document with the recommended rules of Redocly. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { execa } from 'execa';
import { rolldown } from 'rolldown';
import { inRoot } from '../stack/root.ts';

interface OpenApiModule {
  createOpenApi: (publicUrl: string) => object;
}

const folder = await mkdtemp(join(inRoot('node_modules'), '.openapi-'));
try {
  // Bundled from the sources, since the check must not depend on an earlier build.
  const bundle = await rolldown({
    cwd: inRoot(),
    input: 'api/docs/openapi.ts',
    platform: 'node',
    external: /^[^.#/]/,
    plugins: [
      {
        name: 'sources',
        resolveId: {
          filter: { id: /^#libs\// },
          handler: (id) => inRoot(id.slice(1).replace(/\.js$/, '.ts')),
        },
      },
    ],
  });
  const file = join(folder, 'openapi.mjs');
  await bundle.write({ file });
  const { createOpenApi } = (await import(pathToFileURL(file).href)) as OpenApiModule;
  const document = join(folder, 'openapi.json');
  await writeFile(document, JSON.stringify(createOpenApi('https://pressroom.example')));
  const linter = inRoot('node_modules/@redocly/cli/bin/cli.js');
  const { exitCode, all } = await execa(
    process.execPath,
    [linter, 'lint', document, '--extends=recommended', '--format=stylish', '--max-problems=50'],
    {
      all: true,
      reject: false,
      cwd: tmpdir(),
      env: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    },
  );
  if (exitCode !== 0 || /warning/i.test(all)) {
    process.stdout.write(`${all}\n`);
    process.exitCode = 1;
  }
} finally {
  await rm(folder, { recursive: true });
}
