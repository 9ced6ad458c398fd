import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { inRoot } from '../stack/root.ts';

interface OpenApiModule {
  createOpenApi: (publicUrl: string, audience?: 'everyone' | 'programs') => object;
}

/**
 * Reads the OpenAPI document of the sources, without a build.
 * @param audience `programs` leaves out what refuses API keys
 */
export async function readOpenApiDocument(audience: 'everyone' | 'programs' = 'everyone'): Promise<object> {
  const folder = await mkdtemp(join(inRoot('node_modules'), '.openapi-'));
  try {
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
    return createOpenApi('https://pressroom.example', audience);
  } finally {
    await rm(folder, { recursive: true });
  }
}
