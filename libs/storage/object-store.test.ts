import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { StorageConfig } from '#libs/config/environment.js';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startS3 } from '../../test/support/s3.ts';
import { createObjectStore } from './create-object-store.js';
import { createKey } from './object-key.js';
import { ObjectMissing, StoreError, type ObjectStore } from './object-store.js';

const folder = mkdtempSync(join(tmpdir(), 'pressroom-store-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Tested {
  store: ObjectStore;
  /** A store of the same kind at a location that does not exist. */
  unavailable: ObjectStore;
  close?: () => Promise<void>;
}

const implementations: Record<string, () => Promise<Tested>> = {
  files: async () => {
    const blocked = join(folder, 'a-file');
    writeFileSync(blocked, '');
    return {
      store: await createObjectStore({ kind: 'files', directory: join(folder, 'objects') }),
      unavailable: await createObjectStore({ kind: 'files', directory: join(blocked, 'objects') }),
    };
  },
  S3: async () => {
    const s3 = await startS3();
    return {
      store: await createObjectStore(s3.config),
      unavailable: await createObjectStore({ ...s3.config, endpoint: 'http://127.0.0.1:1' }),
      close: s3.stop,
    };
  },
};

describe.each(Object.entries(implementations))('an object store on %s', (_name, open) => {
  let store: ObjectStore;
  let unavailable: ObjectStore;
  let close: Tested['close'];

  beforeAll(async () => {
    ({ store, unavailable, close } = await open());
  });
  afterAll(() => close?.());

  const bytes = randomBytes(300_000);
  const stored = async (content: Buffer = bytes) => {
    const key = createKey();
    await store.put(key, content, 'image/png');
    return key;
  };

  it('returns an object’s bytes, at once and as a stream', async () => {
    const key = await stored();
    expect((await store.read(key)).equals(bytes)).toBe(true);
    expect((await buffer(await store.open(key))).equals(bytes)).toBe(true);
    expect(await store.stat(key)).toEqual({ bytes: bytes.length });
  });

  it('stores a file of known size', async () => {
    const path = join(folder, createKey());
    writeFileSync(path, bytes);
    const key = createKey();
    await store.put(key, { path, bytes: bytes.length }, 'application/pdf');
    rmSync(path);
    expect((await store.read(key)).equals(bytes)).toBe(true);
  });

  it('stores an object without bytes', async () => {
    const key = await stored(Buffer.alloc(0));
    expect(await store.read(key)).toHaveLength(0);
    expect(await store.stat(key)).toEqual({ bytes: 0 });
  });

  it('returns a part of an object, both ends included', async () => {
    const key = await stored();
    const part = await buffer(await store.open(key, { start: 10, end: 19 }));
    expect(part.equals(bytes.subarray(10, 20))).toBe(true);
    const last = await buffer(await store.open(key, { start: bytes.length - 1, end: bytes.length - 1 }));
    expect(last.equals(bytes.subarray(-1))).toBe(true);
  });

  it('replaces an object of the same key', async () => {
    const key = await stored();
    await store.put(key, Buffer.from('new'), 'text/plain');
    expect(String(await store.read(key))).toBe('new');
  });

  it('keeps concurrently stored objects separate', async () => {
    const contents = Array.from({ length: 20 }, () => randomBytes(1_000));
    const keys = await Promise.all(contents.map(stored));
    const read = await Promise.all(keys.map((key) => store.read(key)));
    expect(read.every((content, i) => content.equals(contents[i]!))).toBe(true);
  });

  it('removes many at once, and ignores missing ones', async () => {
    const keys = [await stored(), await stored()];
    const kept = await stored();
    await store.remove([...keys, createKey()]);
    expect(await Promise.all(keys.map((key) => store.stat(key)))).toEqual([null, null]);
    expect(await store.stat(kept)).not.toBeNull();
    await store.remove([]);
  });

  it('reports a missing object, not an unavailable store', async () => {
    const key = createKey();
    await expect(store.read(key)).rejects.toThrow(ObjectMissing);
    await expect(store.open(key)).rejects.toThrow(ObjectMissing);
    expect(await store.stat(key)).toBeNull();
  });

  it('reports an unavailable store', async () => {
    await store.ping();
    await expect(unavailable.prepare()).rejects.toThrow(StoreError);
    const key = createKey();
    await expect(unavailable.ping()).rejects.toThrow(StoreError);
    await expect(unavailable.put(key, bytes, 'image/png')).rejects.toThrow(StoreError);
    await expect(unavailable.read(key)).rejects.toThrow(StoreError);
    await expect(unavailable.open(key)).rejects.toThrow(StoreError);
    await expect(unavailable.stat(key)).rejects.toThrow(StoreError);
    await expect(unavailable.remove([key])).rejects.toThrow(StoreError);
  });
});

describe('an object store on files', () => {
  it('leaves nothing of an object that could not be stored', async () => {
    const directory = join(folder, 'halves');
    const store = await createObjectStore({ kind: 'files', directory });
    await expect(
      store.put(createKey(), { path: join(folder, 'no such file'), bytes: 3 }, 'image/png'),
    ).rejects.toThrow();
    const left = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    expect(left).toEqual([]);
  });

  it('refuses keys that lead out of its folder', async () => {
    const store = await createObjectStore({ kind: 'files', directory: join(folder, 'objects') });
    await expect(store.read('../../etc/passwd')).rejects.toThrow('no key');
  });
});

describe('an object store on S3', () => {
  it('is not ready without its bucket, and creates it when prepared, even concurrently', async () => {
    const s3 = await startS3();
    const another = await createObjectStore({ ...s3.config, bucket: 'another' });
    await expect(another.ping()).rejects.toThrow('no bucket named another');
    await Promise.all([another.prepare(), another.prepare()]);
    await another.prepare();
    await another.ping();
    await s3.stop();
  });

  const reasons: [code: string, status: number, says: RegExp][] = [
    ['InvalidAccessKeyId', 403, /^S3_ACCESS_KEY must hold a key that /],
    ['SignatureDoesNotMatch', 403, /^S3_SECRET_KEY must hold the secret of S3_ACCESS_KEY/],
    ['AccessDenied', 403, /^The key of S3_ACCESS_KEY may not use the bucket pictures /],
    ['AuthorizationHeaderMalformed', 400, /^S3_REGION must hold the region of .* which is not us-east-1/],
    ['PermanentRedirect', 301, /^S3_REGION must hold the region of the bucket pictures/],
    ['RequestTimeTooSkewed', 403, /^The clocks of this machine and of /],
  ];
  it.each(reasons)('says what to do when the store answers %s', async (code, status, says) => {
    const { config, stop } = await startRefusingS3(() => [status, code]);
    await expect((await createObjectStore(config)).prepare()).rejects.toMatchObject({
      name: 'StoreRefused',
      message: expect.stringMatching(says),
    });
    await stop();
  });

  it.each([
    ['AccessDenied', /^There is no bucket named pictures .* may not create one/],
    ['BucketAlreadyExists', /^S3_BUCKET must hold another name/],
    ['IllegalLocationConstraintException', /^S3_REGION must hold/],
  ])('says what to do when a bucket cannot be created: %s', async (code, says) => {
    const { config, stop } = await startRefusingS3((method) =>
      method === 'PUT' ? [403, code] : [404, 'NoSuchBucket'],
    );
    await expect((await createObjectStore(config)).prepare()).rejects.toMatchObject({
      name: 'StoreRefused',
      message: expect.stringMatching(says),
    });
    await stop();
  });

  it('reports an invalid bucket name, and the store that does not answer', async () => {
    const { config, stop } = await startRefusingS3(() => [500, 'InternalError']);
    await expect((await createObjectStore({ ...config, bucket: 'Not_a_name' })).prepare()).rejects.toThrow(
      /^S3_BUCKET must hold the name of a bucket/,
    );
    await stop();
    await expect((await createObjectStore(config)).prepare()).rejects.toMatchObject({
      name: 'StoreError',
      message: expect.stringMatching(/^No answer from http:.* \(S3_ENDPOINT\): .*ECONNREFUSED/),
    });
  });
});

/** Starts a server that rejects every request like S3. Its response to HEAD has no body and therefore no error code. */
async function startRefusingS3(refusal: (method?: string) => [status: number, code: string]) {
  const server = createServer((request, response) => {
    const [status, code] = refusal(request.method);
    response.writeHead(status, { 'Content-Type': 'application/xml' });
    const body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>Refused.</Message></Error>`;
    response.end(request.method === 'HEAD' ? undefined : body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    config: {
      kind: 's3',
      endpoint: `http://127.0.0.1:${port}`,
      bucket: 'pictures',
      accessKey: 'key',
      secretKey: 'secret',
      region: 'us-east-1',
    } satisfies StorageConfig,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
