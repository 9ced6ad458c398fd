import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import type { BatchWithItems } from '#libs/contract/batches.js';
import { createDataSource } from '#libs/database/data-source.js';
import { chargeCreditsForJobs, monthOf } from '#libs/billing/credits.js';
import { rows } from '../support/sql.ts';
import type { DataSource } from 'typeorm';
import { discOnBlue } from '../support/image-files.ts';
import { freePort } from '../support/ports.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { form, json, PASSWORD, signUp, type SignedInUser } from '../support/in-process-product.ts';
import { startApi, startWorker, type TestProcess } from '../support/process.ts';
import { startS3 } from '../support/s3.ts';
import { allowTimeForPrograms } from '../support/time-limits.ts';
import { until } from '../support/until.ts';

allowTimeForPrograms();

/** A file store: environment variables of programs that use it, and how to stop it. */
interface Store {
  variables: Record<string, string>;
  stop?: () => Promise<void>;
}

const stores: Record<string, () => Promise<Store>> = {
  files: () => Promise.resolve({ variables: {} }),
  S3: async () => {
    const { config, stop } = await startS3();
    const { endpoint, bucket, accessKey, secretKey } = config;
    const variables = {
      S3_ENDPOINT: endpoint,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY: accessKey,
      S3_SECRET_KEY: secretKey,
      // The suite on the file store covers a job that is killed while a model works.
      MODELS_OFF: 'u2netp',
    };
    return { variables, stop };
  },
};

describe.each(Object.entries(stores))(
  'api and worker as processes of their own, with objects on %s',
  (name, openStore) => {
    const folder = mkdtempSync(join(tmpdir(), 'pressroom-processes-'));
    let store: Store;
    let database: TestDatabase;
    let dataSource: DataSource;
    let environment: NodeJS.ProcessEnv & { PORT: string };
    let api: TestProcess & { address: string };
    let worker: TestProcess;
    let ada: SignedInUser;

    beforeAll(async () => {
      [store, database] = [await openStore(), await testDatabase()];
      dataSource = await createDataSource({ url: database.url, poolSize: 1 }).initialize();
      environment = {
        PORT: String(await freePort()),
        DATABASE_URL: database.url,
        DATA_DIR: folder,
        AUTH_SECRET: '7d3f0b9c5a1e8642f0c7b3d95e1a6480',
        JOB_LEASE_SECONDS: '4',
        RATE_LIMIT_REQUESTS: '100000',
        ...store.variables,
      };
      api = await startApi(environment);
      worker = startWorker(environment);
      ada = await signUp(`http://localhost:${environment.PORT}`, dataSource, 'Ada', 'premium');
    });

    afterAll(async () => {
      await Promise.all([worker.kill(), api.kill()]);
      await dataSource.destroy();
      await database.drop();
      await store.stop?.();
      rmSync(folder, { recursive: true, force: true });
    });

    it('store an image that anyone may read at its address, and accept an upload', async () => {
      const drawn = await json(
        await ada.call('/api/ai/generate-image', {
          json: { prompt: 'A lighthouse at dusk', style: 'Anime style', publish: true },
        }),
      );
      expect(drawn.content).toMatch(new RegExp(`^http://localhost:${environment.PORT}/files/`));
      expect((await fetch(drawn.content)).status).toBe(200);
      expect((await fetch(`${api.address}/c/${drawn.creationId}`)).status).toBe(200);

      const small = await discOnBlue(150, 150, 0.46).png().toBuffer();
      const cut = await json(
        await ada.call('/api/ai/remove-image-background', {
          body: form({ image: { bytes: small, name: 'a.png' } }),
        }),
      );
      const result = await sharp(await (await fetch(cut.content)).arrayBuffer()).metadata();
      expect(result).toMatchObject({ format: 'png', width: 150, hasAlpha: true });
    });

    it('have one result of a job whose worker was killed during it', async () => {
      const photo = await sharp({ create: { width: 1_200, height: 900, channels: 3, background: 'teal' } })
        .composite([
          {
            input: Buffer.from(
              '<svg width="600" height="600"><circle cx="300" cy="300" r="300" fill="orange"/></svg>',
            ),
          },
        ])
        .jpeg()
        .toBuffer();
      const body = form({ image: { bytes: photo, name: 'photo.jpg' } });
      const headers = { Prefer: 'respond-async' };
      const { job } = await json(await ada.call('/api/ai/remove-image-background', { body, headers }));
      const now = async () => (await json(await ada.call(`/api/jobs/${job.id}`))).job;
      await until('it runs', async () => (await now()).status === 'running', { every: 5 });
      await worker.kill('SIGKILL');
      worker = startWorker(environment);

      const done = await until(
        'it succeeded',
        async () => {
          const job = await now();
          return job.status === 'succeeded' && job;
        },
        { seconds: 240 },
      );
      expect(done.attempts).toBe(2);
      expect((await fetch(done.result.content)).status).toBe(200);
      const made = await rows<{ kind: string }>(
        dataSource,
        `SELECT kind FROM objects JOIN creations ON creations.id = creation_id WHERE creations.job_id = $1 ORDER BY kind`,
        [job.id],
      );
      expect(made.map(({ kind }) => kind)).toEqual(['image', 'thumbnail']);
    });

    // One store is enough: both open an object in the same way.
    const once = name === 'files' ? it : undefined;
    once?.(
      'end a batch with one result and one charge of each picture, though workers were killed twice',
      async () => {
        const pictures = await Promise.all(
          Array.from({ length: 3 }, (_, index) =>
            discOnBlue(400 + index, 300)
              .png()
              .toBuffer(),
          ),
        );
        // The last is never sent.
        const items = [...pictures, pictures[0]!].map(({ length: size }, index) => ({
          id: `${index}`,
          name: 'same.png',
          size,
        }));
        const read = async (path: string, options?: Parameters<SignedInUser['call']>[1]) =>
          ((await (await ada.call(path, options)).json()) as { batch: BatchWithItems }).batch;
        const { id } = await read('/api/batches', { json: { tool: 'remove-image-background', items } });
        // The tools of batches need the premium plan, where nothing is charged: this one has a price.
        const charged = await rows<{ user: string; job: string }>(
          dataSource,
          `SELECT user_id AS user, job_id AS job FROM batch_items JOIN batches ON id = batch_id WHERE id = $1`,
          [id],
        );
        const month = monthOf(new Date());
        const charge = { userId: charged[0]!.user, month, amount: 1, jobIds: charged.map(({ job }) => job) };
        expect(await chargeCreditsForJobs(dataSource, charge)).toBe(true);
        await rows(dataSource, `UPDATE batches SET credits = 1, charge_month = $2 WHERE id = $1`, [
          id,
          month,
        ]);
        const alone = { ...environment, WORKER_CONCURRENCY: '1' };
        const killAtWork = async (done: number) => {
          const isAtWork = async () => {
            const { counts } = await read(`/api/batches/${id}`);
            return counts.running > 0 && counts.succeeded >= done;
          };
          // A picture is at work for a part of a second.
          await until('the next at work', isAtWork, { every: 20 });
          await worker.kill('SIGKILL');
          worker = startWorker(alone);
        };
        await worker.kill();
        for (const [index, bytes] of pictures.entries()) {
          const body = form({ image: { bytes, name: 'same.png' } });
          expect((await ada.call(`/api/batches/${id}/items/${index + 1}`, { body })).status).toBe(200);
        }
        expect((await ada.call(`/api/batches/${id}/items/4`, { method: 'DELETE' })).status).toBe(200);
        worker = startWorker(alone);
        await killAtWork(0);
        await killAtWork(1);
        const done = await until(
          'all to be done',
          async () => {
            const batch = await read(`/api/batches/${id}`);
            return batch.status === 'ended' && batch;
          },
          { seconds: 240 },
        );
        expect(done.counts).toMatchObject({ total: 4, succeeded: 3, leftOut: 1 });
        const made = await rows<{ jobs: number; files: number }>(
          dataSource,
          `SELECT count(DISTINCT creations.job_id)::integer AS jobs, count(*)::integer AS files FROM creations
         JOIN jobs ON jobs.id = creations.job_id JOIN objects ON creation_id = creations.id WHERE batch_id = $1`,
          [id],
        );
        // Result, thumbnail and original of each.
        expect(made).toEqual([{ jobs: 3, files: 9 }]);
        const ledger = await rows<{ balance: number; sum: number; kinds: string }>(
          dataSource,
          `SELECT balance, (SELECT sum(amount)::integer FROM credit_entries e WHERE e.user_id = b.user_id) AS sum,
           (SELECT string_agg(kind, ' ' ORDER BY kind) FROM credit_entries e WHERE e.user_id = b.user_id) AS kinds
         FROM credit_balances b WHERE user_id = $1`,
          [charge.userId],
        );
        const kinds = [...Array<string>(4).fill('charge'), 'grant', 'refund'].join(' ');
        expect(ledger).toEqual([{ balance: 27, sum: 27, kinds }]);
        const zip = Buffer.from(await (await ada.call(`/api/batches/${id}/zip`)).arrayBuffer());
        for (const [index, { content }] of done.items.slice(0, 3).entries()) {
          expect(zip.includes(index === 0 ? 'same.png' : `same (${index + 1}).png`)).toBe(true);
          const result = Buffer.from(await (await fetch(content!)).arrayBuffer());
          expect(zip.includes(result)).toBe(true);
          expect((await sharp(result).metadata()).width).toBe(400 + index);
        }
      },
    );

    it('keep nothing of a deleted user', async () => {
      expect(
        (await ada.call('/api/user/account', { method: 'DELETE', json: { password: PASSWORD } })).status,
      ).toBe(200);
      const left = await rows(
        dataSource,
        `SELECT key FROM objects WHERE stored_at IS NOT NULL OR user_id IS NOT NULL`,
      );
      expect(left).toEqual([]);
      expect((await ada.call('/api/user/account')).status).toBe(401);
    });
  },
);
