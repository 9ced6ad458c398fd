import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Client } from 'minio';
import type { StorageConfig } from '#libs/config/environment.js';
import { settleWithin } from '#libs/resilience/policies.js';
import {
  ObjectMissing,
  ObjectStore,
  sizeOf,
  StoreError,
  type ByteRange,
  type Content,
} from './object-store.js';

/** Milliseconds that the store has for one call; the largest object has 10 MB. */
const ANSWER_WITHIN = 30_000;

/** Objects in a bucket of an S3-compatible store. */
export class S3Store extends ObjectStore {
  private readonly client: Client;
  private readonly bucket: string;
  private readonly region: string;

  constructor({ endpoint, bucket, accessKey, secretKey, region }: Extract<StorageConfig, { kind: 's3' }>) {
    super();
    const { hostname, port, protocol } = new URL(endpoint);
    const useSSL = protocol === 'https:';
    this.client = new Client({
      endPoint: hostname,
      port: port ? Number(port) : undefined,
      useSSL,
      accessKey,
      secretKey,
      region,
    });
    this.bucket = bucket;
    this.region = region;
  }

  async prepare(): Promise<void> {
    await toStoreError(async () => {
      if (await this.client.bucketExists(this.bucket)) return;
      try {
        await this.client.makeBucket(this.bucket, this.region);
      } catch (error) {
        // Another process may have made it meanwhile.
        if (!(await this.client.bucketExists(this.bucket))) throw error;
      }
    });
  }

  async put(key: string, content: Content, type: string): Promise<void> {
    const body = Buffer.isBuffer(content) ? content : createReadStream(content.path);
    try {
      await toStoreError(() =>
        this.client.putObject(this.bucket, key, body, sizeOf(content), { 'Content-Type': type }),
      );
    } finally {
      // A call that fails early leaves its file open.
      if (!Buffer.isBuffer(body)) body.destroy();
    }
  }

  async open(key: string, range?: ByteRange): Promise<Readable> {
    return toStoreError(() =>
      range
        ? this.client.getPartialObject(this.bucket, key, range.start, range.end - range.start + 1)
        : this.client.getObject(this.bucket, key),
    );
  }

  async read(key: string): Promise<Buffer> {
    return toStoreError(async () => buffer(await this.client.getObject(this.bucket, key)));
  }

  async stat(key: string): Promise<{ bytes: number } | null> {
    try {
      const { size } = await toStoreError(() => this.client.statObject(this.bucket, key));
      return { bytes: size };
    } catch (error) {
      if (error instanceof ObjectMissing) return null;
      throw error;
    }
  }

  async remove(keys: string[]): Promise<void> {
    if (keys.length === 0) return;
    const answers = await toStoreError(() => this.client.removeObjects(this.bucket, keys));
    const refused = answers.find((answer) => answer?.Error);
    if (refused)
      throw new StoreError(`The object store refused to remove an object: ${refused.Error?.Message}`);
  }

  async ping(): Promise<void> {
    if (!(await toStoreError(() => this.client.bucketExists(this.bucket)))) {
      throw new StoreError(`There is no bucket named ${this.bucket}.`);
    }
  }
}

async function toStoreError<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await settleWithin(ANSWER_WITHIN, call);
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code === 'NoSuchKey' || code === 'NotFound')
      throw new ObjectMissing('There is no such object.', { cause: error });
    throw new StoreError(`The object store failed: ${code ?? message}`, { cause: error });
  }
}
