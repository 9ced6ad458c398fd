import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import type { StorageConfig } from '#libs/config/environment.js';

export interface TestS3 {
  config: Extract<StorageConfig, { kind: 's3' }>;
  stop: () => Promise<void>;
}

/** Starts an S3 server of this test's own, with an empty bucket. */
export async function startS3(port = 0): Promise<TestS3> {
  const directory = mkdtempSync(join(tmpdir(), 'pressroom-s3-'));
  const bucket = 'pressroom';
  const server = new S3rver({
    port,
    address: '127.0.0.1',
    directory,
    silent: true,
    // Its host is an IP address: the bucket is part of the path.
    vhostBuckets: false,
    configureBuckets: [{ name: bucket, configs: [] }],
  });
  const address = await server.run();
  return {
    config: {
      kind: 's3',
      endpoint: `http://127.0.0.1:${address.port}`,
      bucket,
      // The only pair it knows.
      accessKey: 'S3RVER',
      secretKey: 'S3RVER',
      region: 'us-east-1',
    },
    stop: async () => {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
