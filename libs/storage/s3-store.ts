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
  StoreRefused,
  type ByteRange,
  type Content,
} from './object-store.js';

/** Timeout in milliseconds of one call. The largest object has 10 MB. */
const ANSWER_WITHIN = 30_000;

export class S3Store extends ObjectStore {
  private readonly client: Client;
  private readonly bucket: string;
  private readonly region: string;
  private readonly endpoint: string;

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
    this.endpoint = endpoint;
  }

  async prepare(): Promise<void> {
    try {
      if (await this.bucketExists()) return;
      try {
        await settleWithin(ANSWER_WITHIN, () => this.client.makeBucket(this.bucket, this.region));
      } catch (error) {
        // Ignores the error if another process has created the bucket at the same time.
        if (!(await this.bucketExists().catch(() => false))) throw this.refused(error, 'create') ?? error;
      }
    } catch (error) {
      if (error instanceof StoreError) throw error;
      throw this.refused(error, 'use') ?? new StoreError(unavailable(this.endpoint, error), { cause: error });
    }
  }

  /**
   * Sends a HEAD request. If that is rejected, lists the bucket, because the response to HEAD has no error code.
   * @throws Error with S3's error code
   */
  private async bucketExists(): Promise<boolean> {
    try {
      return await settleWithin(ANSWER_WITHIN, () => this.client.bucketExists(this.bucket));
    } catch (error) {
      if (!isAnswer(error)) throw error;
      const objects = this.client.listObjectsV2(this.bucket, '');
      await settleWithin(ANSWER_WITHIN, () => objects[Symbol.asyncIterator]().next());
      objects.destroy();
      return true;
    }
  }

  private refused(error: unknown, action: 'use' | 'create'): StoreRefused | null {
    const { code, message } = error as { code?: string; message: string };
    const { endpoint, bucket, region } = this;
    const wrongRegion = `S3_REGION must hold the region of ${endpoint}, which is not ${region}.`;
    const messages = {
      InvalidAccessKeyId: `S3_ACCESS_KEY must hold a key that ${endpoint} accepts.`,
      SignatureDoesNotMatch: `S3_SECRET_KEY must hold the secret of S3_ACCESS_KEY: ${endpoint} does not accept this one.`,
      AccessDenied:
        action === 'create'
          ? `There is no bucket named ${bucket} (S3_BUCKET), and the key of S3_ACCESS_KEY may not create one: create it, or let the key do so.`
          : `The key of S3_ACCESS_KEY may not use the bucket ${bucket} (S3_BUCKET) at ${endpoint}: let it list, read, write and delete there.`,
      AuthorizationHeaderMalformed: wrongRegion,
      IllegalLocationConstraintException: wrongRegion,
      InvalidRegion: wrongRegion,
      PermanentRedirect: `S3_REGION must hold the region of the bucket ${bucket}, and S3_ENDPOINT the address of that region: it is not in ${region}.`,
      BucketAlreadyExists: `S3_BUCKET must hold another name: another account has a bucket named ${bucket}.`,
      InvalidBucketName: `S3_BUCKET must hold the name of a bucket, which ${bucket} cannot be: 3 to 63 lower-case letters, digits and hyphens.`,
      RequestTimeTooSkewed: `The clocks of this machine and of ${endpoint} (S3_ENDPOINT) differ by too much: set this machine's clock.`,
    };
    const reason = (error as Error).name === 'InvalidBucketNameError' ? 'InvalidBucketName' : code;
    if (reason && reason in messages)
      return new StoreRefused(messages[reason as keyof typeof messages], { cause: error });
    if (isTlsFailure(code, message))
      return new StoreRefused(`S3_ENDPOINT must hold an address whose certificate is valid: ${message}.`, {
        cause: error,
      });
    return null;
  }

  async put(key: string, content: Content, type: string): Promise<void> {
    const body = Buffer.isBuffer(content) ? content : createReadStream(content.path);
    try {
      await toStoreError(() =>
        this.client.putObject(this.bucket, key, body, sizeOf(content), { 'Content-Type': type }),
      );
    } finally {
      // Closes the file, which is still open if the call failed early.
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

/** True if the error is a response of S3, which has a request id, rather than a network error. */
const isAnswer = (error: unknown) => 'requestid' in (error as object) || (error as Error).name === 'S3Error';

const isTlsFailure = (code = '', message: string) =>
  /CERT|SSL|TLS|EPROTO/.test(code) || /certificate|wrong version number/.test(message);

function unavailable(endpoint: string, error: unknown): string {
  const { code, message } = error as { code?: string; message: string };
  return `No answer from ${endpoint} (S3_ENDPOINT): ${message || code}`;
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
