/**
 * `npm run client`: generates the code of the client package from the OpenAPI document and compiles the package. With
 * `check`, it changes nothing and fails if the generated code differs.
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
// Generates fetch calls for every operation, tree-shakeable and without dependencies. Release 0.99.0, MIT, 38 packages.
import { createClient } from '@hey-api/openapi-ts';
import { readOpenApiDocument } from '../openapi/read-document.ts';
import { run } from '../stack/processes.ts';
import { inRoot } from '../stack/root.ts';
import { print } from '../stack/terminal.ts';

const PACKAGE = inRoot('clients/typescript');
const GENERATED = join(PACKAGE, 'src/generated');

if (process.argv[2] === 'check') await check();
else {
  await generate(GENERATED);
  await rm(join(PACKAGE, 'dist'), { recursive: true, force: true });
  await run(process.execPath, [inRoot('node_modules/typescript/bin/tsc'), '--project', PACKAGE], {
    cwd: inRoot(),
  });
  print(`The client package is in ${PACKAGE}: \`npm pack\` there makes a file of it.`);
}

async function generate(folder: string): Promise<void> {
  const temporary = await mkdtemp(join(inRoot('node_modules'), '.client-'));
  try {
    const document = join(temporary, 'openapi.json');
    await writeFile(document, JSON.stringify(await readOpenApiDocument('programs')));
    await createClient({
      input: document,
      output: { path: folder, module: { extension: '.js' }, entryFile: false },
      plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
      logs: { level: 'silent', file: false },
    });
  } finally {
    await rm(temporary, { recursive: true });
  }
}

async function check(): Promise<void> {
  const folder = await mkdtemp(join(inRoot('node_modules'), '.client-'));
  try {
    await generate(folder);
    const [committed, fresh] = [await filesIn(GENERATED), await filesIn(folder)];
    const names = new Set([...committed.keys(), ...fresh.keys()]);
    const different = [...names].filter((name) => committed.get(name) !== fresh.get(name));
    if (different.length === 0) return;
    print(
      `The client package is not generated from the routes: ${different.join(', ')}. Run \`npm run client\`.`,
    );
    process.exitCode = 1;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function filesIn(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return new Map(
    await Promise.all(
      files.map(async ({ parentPath, name }) => {
        const path = join(parentPath, name);
        return [path.slice(folder.length + 1), await readFile(path, 'utf8')] as const;
      }),
    ),
  );
}
