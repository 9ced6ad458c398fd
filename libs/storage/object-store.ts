import { access, constants, mkdir } from 'node:fs/promises';
import { Client } from 'minio';
import type { StorageConfig } from '#libs/config/environment.js';

/** Where files of people are kept: a folder of ours, or any S3-compatible store. */
export abstract class ObjectStore {
  /** Rejects when the store cannot be reached or written to. */
  abstract ping(): Promise<void>;
}

export function createObjectStore(config: StorageConfig): ObjectStore {
  return config.kind === 'files' ? new FileStore(config.directory) : new S3Store(config);
}

class FileStore implements ObjectStore {
  constructor(private readonly directory: string) {}

  async ping(): Promise<void> {
    await mkdir(this.directory, { recursive: true });
    await access(this.directory, constants.R_OK | constants.W_OK);
  }
}

class S3Store implements ObjectStore {
  private readonly client: Client;
  private readonly bucket: string;

  constructor({ endpoint, bucket, accessKey, secretKey, region }: Extract<StorageConfig, { kind: 's3' }>) {
    const { hostname, port, protocol } = new URL(endpoint);
    const useSSL = protocol === 'https:';
    this.client = new Client({ endPoint: hostname, port: port ? Number(port) : undefined, useSSL, accessKey, secretKey, region });
    this.bucket = bucket;
  }

  async ping(): Promise<void> {
    if (!(await this.client.bucketExists(this.bucket))) throw new Error(`There is no bucket named ${this.bucket}.`);
  }
}
