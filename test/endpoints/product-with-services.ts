import { findProgram } from '../support/machine-programs.ts';
import { testDatabase } from '../support/database.ts';
import { startRedis } from '../support/redis.ts';
import { startS3 } from '../support/s3.ts';
import { RunningProduct } from '../platform/running-product.ts';

export type Engine = 'openai' | 'offline';

/** The services that hold the queue and the files of a product. */
export interface Services {
  queue: 'PostgreSQL' | 'Redis';
  store: 'files' | 'S3';
}

export interface ProductWithServices {
  product: RunningProduct;
  redisUrl: string | undefined;
  /** The folders that hold everything that is not in the database or Redis. */
  folders: string[];
  /** Stops the object store for good. */
  stopStore: () => Promise<void>;
  close: () => Promise<void>;
}

/** The pairs of services that endpoints are tried on; without a redis-server, outside CI, only the embedded one. */
export const servicePairs: Services[] = [
  { queue: 'PostgreSQL', store: 'files' },
  ...(findProgram('redis') || process.env.CI === 'true' ? [{ queue: 'Redis', store: 'S3' } as const] : []),
];

/** Starts one api and one worker as processes of their own, on services of their own. */
export async function startProductWithServices(
  engine: Engine,
  { queue, store }: Services = { queue: 'PostgreSQL', store: 'files' },
  variables: NodeJS.ProcessEnv = {},
): Promise<ProductWithServices> {
  const database = await testDatabase();
  const redis = queue === 'Redis' ? await startRedis() : undefined;
  const s3 = store === 'S3' ? await startS3() : undefined;
  const product = await RunningProduct.start({
    databaseUrl: database.url,
    redisUrl: redis?.url,
    variables: {
      ...(engine === 'offline'
        ? { OPENAI_API_KEY: undefined, OPENAI_BASE_URL: undefined }
        : { ENGINE_REMOVE_IMAGE_BACKGROUND: 'provider' }),
      ...(s3 && {
        S3_ENDPOINT: s3.config.endpoint,
        S3_BUCKET: s3.config.bucket,
        S3_ACCESS_KEY: s3.config.accessKey,
        S3_SECRET_KEY: s3.config.secretKey,
      }),
      ...variables,
    },
  });
  let stopped: Promise<void> | undefined;
  const stopStore = () => (stopped ??= s3?.stop() ?? Promise.resolve());
  const close = async () => {
    await product.close();
    await stopStore();
    await redis?.stop();
    await database.drop();
  };
  const folders = [product.folder, ...(s3 ? [s3.directory] : [])];
  return { product, redisUrl: redis?.url, folders, stopStore, close };
}
