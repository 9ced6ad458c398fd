/** `node scripts/openapi/lint.ts`: checks the OpenAPI document with the recommended rules of Redocly. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { inRoot } from '../stack/root.ts';
import { readOpenApiDocument } from './read-document.ts';

const folder = await mkdtemp(join(tmpdir(), 'pressroom-openapi-'));
try {
  const document = join(folder, 'openapi.json');
  await writeFile(document, JSON.stringify(await readOpenApiDocument()));
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
