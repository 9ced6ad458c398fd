import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import type { StorageConfig } from '#libs/config/environment.js';

export interface TestS3 {
  /** For the environment of a program that uses it. */
  variables: Record<string, string>;
  config: Extract<StorageConfig, { kind: 's3' }>;
  directory: string;
  /** Stops it until `comeBack`; its objects stay. */
  leave: () => Promise<void>;
  comeBack: () => Promise<void>;
  stop: () => Promise<void>;
}

/** Starts an S3 server of this test's own, with an empty bucket. */
export async function startS3(): Promise<TestS3> {
  const directory = mkdtempSync(join(tmpdir(), 'pressroom-s3-'));
  const bucket = 'pressroom';
  const open = (on: number) =>
    new S3rver({
      port: on,
      address: '127.0.0.1',
      directory,
      silent: true,
      // Its host is an IP address: the bucket is part of the path.
      vhostBuckets: false,
      configureBuckets: [{ name: bucket, configs: [] }],
    });
  let server = open(0);
  const address = await server.run();
  const endpoint = `http://127.0.0.1:${address.port}`;
  // The only keys that it accepts.
  const [accessKey, secretKey] = ['S3RVER', 'S3RVER'];
  return {
    directory,
    config: { kind: 's3', endpoint, bucket, accessKey, secretKey, region: 'us-east-1' },
    variables: {
      S3_ENDPOINT: endpoint,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY: accessKey,
      S3_SECRET_KEY: secretKey,
    },
    leave: () => server.close(),
    comeBack: async () => {
      server = open(address.port);
      await server.run();
    },
    stop: async () => {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
