import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const compressors = { '.br': promisify(brotliCompress), '.gz': promisify(gzip) };

/** Smaller files gain nothing. */
const MIN_BYTES = 1_000;

/** Writes `FILE.br` and `FILE.gz` beside each script, style sheet and drawing of the build; api/http/web-client.ts sends them. */
export function compressFiles(): Plugin {
  return {
    name: 'compress-files',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const files = Object.keys(bundle).filter((file) => /\.(js|mjs|css|svg)$/.test(file));
      await Promise.all(
        files.map(async (file) => {
          const path = join(dir, file);
          const isHashed = file.startsWith('assets/');
          const content = readFileSync(path);
          if (content.length < MIN_BYTES || (isHashed && existsSync(`${path}.gz`))) return;
          for (const [end, compress] of Object.entries(compressors))
            await writeFile(`${path}${end}`, await compress(content));
        }),
      );
    },
  };
}
