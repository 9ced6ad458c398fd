import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import type dns from 'node:dns';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { WEBHOOK_MAX_RESPONSES } from '#libs/contract/webhooks.js';
import { createPublicFetch, type PublicFetch } from '#libs/outbound/public-fetch.js';
import { openJobPlatform, type JobPlatform } from '../../test/support/job-platform.ts';
import { startWorker } from '../../test/support/process.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';
import { until } from '../../test/support/until.ts';
import { accept, answerWith, WebhookReceiver } from '../../test/support/webhook-receiver.ts';
import { claimDeliveries, recordAttempt, switchOn } from './webhook-deliveries.js';
import { WebhookEvents } from './webhook-events.js';
import { WebhookSender } from './webhook-sender.js';
import { Webhooks } from './webhooks.js';

allowTimeForPrograms();

const EVENTS = 500;

let platform: JobPlatform;
const receiver = new WebhookReceiver();
const senders: WebhookSender[] = [];
const errors: Error[] = [];
beforeAll(async () => {
  platform = await openJobPlatform();
  await receiver.start();
});
afterEach(async () => {
  await Promise.all(senders.splice(0).map((sender) => sender.beforeApplicationShutdown()));
  await platform.sql('DELETE FROM users');
  receiver.received.splice(0);
  expect(errors.splice(0)).toEqual([]);
});
afterAll(async () => {
  await receiver.stop();
  await platform.close();
});

function startSender(publicFetch: PublicFetch = createPublicFetch({ allowedNetworks: ['127.0.0.1'] })) {
  const sender = new WebhookSender({
    dataSource: platform.dataSource,
    publicFetch,
    mailer: null,
    publicUrl: 'http://localhost:3000',
    onError: (error) => void errors.push(error),
  });
  senders.push(sender);
  return sender;
}

function startWorkerProcess() {
  const { url } = platform.dataSource.options as { url: string };
  return startWorker({
    DATABASE_URL: url,
    DATA_DIR: mkdtempSync(join(tmpdir(), 'pressroom-webhooks-')),
    AUTH_SECRET: '7d3f0b9c5a1e8642f0c7b3d95e1a6480',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1',
    LOG_LEVEL: 'warn',
  });
}

/** Ends that many jobs of a user, through the triggers of the database. */
async function endJobs(userId: string, count: number): Promise<void> {
  await platform.sql(
    `INSERT INTO jobs (id, user_id, tool, queue, title, priority)
     SELECT gen_random_uuid(), $1, 'generate-article', 'text', 'An article', 'standard' FROM generate_series(1, $2)`,
    [userId, count],
  );
  await platform.sql(
    `UPDATE jobs SET status = 'succeeded', result = '{}', finished_at = now() WHERE user_id = $1`,
    [userId],
  );
}

const count = async (condition: string) => {
  const [found] = await platform.sql(
    `SELECT count(*)::integer AS count FROM webhook_deliveries WHERE ${condition}`,
  );
  return (found as { count: number }).count;
};
/** Locks as the product does, which locks a webhook before its deliveries. */
const makeDue = () =>
  platform.dataSource.transaction(async (transaction) => {
    await transaction.query('SELECT FROM webhooks FOR NO KEY UPDATE');
    await transaction.query(`UPDATE webhook_deliveries SET next_attempt_at = now() WHERE status = 'pending'`);
  });

it('keeps the newest answers of each webhook, and the status of all', async () => {
  const webhooks = new Webhooks(platform.dataSource, ['127.0.0.1']);
  const user = await platform.user('premium');
  const urls = [receiver.url, receiver.url];
  for (const url of urls) await webhooks.create(user, { url, events: ['job.succeeded'] });
  const more = WEBHOOK_MAX_RESPONSES + 20;
  await endJobs(user, more);
  await new WebhookEvents(platform.dataSource).pass();
  receiver.answer = answerWith(200, {}, '€'.repeat(2_000));
  const sender = startSender();
  await sender.pass();
  await until('the end', async () => (await count(`status = 'succeeded'`)) === 2 * more);
  for (const { id } of await webhooks.list(user)) {
    const kept = await platform.sql(
      `SELECT response <> '' AS kept, count(*)::integer AS count, sum(octet_length(response))::integer AS bytes,
         count(status)::integer AS statuses
       FROM webhook_attempts WHERE webhook_id = $1 GROUP BY 1 ORDER BY 1`,
      [id],
    );
    expect(kept).toEqual([
      { kept: false, count: 20, bytes: 0, statuses: 20 },
      { kept: true, count: WEBHOOK_MAX_RESPONSES, bytes: WEBHOOK_MAX_RESPONSES * 3_000, statuses: 200 },
    ]);
  }

  // Sent again, the answer of an old event is one of the newest.
  const [{ webhook, delivery }] = (await platform.sql(
    `SELECT webhook_id AS webhook, delivery_id AS delivery FROM webhook_attempts ORDER BY sent_at LIMIT 1`,
  )) as [{ webhook: string; delivery: string }];
  await webhooks.resend(user, webhook, delivery);
  await sender.pass();
  const log = await until('its answer', async () => {
    const { log } = await webhooks.readDelivery(user, webhook, delivery);
    return log.length === 2 && log;
  });
  expect(log.map(({ status, response }) => [status, response.length])).toEqual([
    [200, 1_000],
    [200, 0],
  ]);
});

describe('events', () => {
  it('all reach a receiver that is down, slow, redirecting, gone and killed in turn, each with one id', async () => {
    const webhooks = new Webhooks(platform.dataSource, ['127.0.0.1']);
    const user = await platform.user('premium');
    const { webhook } = await webhooks.create(user, { url: receiver.url, events: ['job.succeeded'] });
    const events = [1, 2].map(() => new WebhookEvents(platform.dataSource));
    await receiver.stop();
    await endJobs(user, EVENTS);
    await Promise.all(events.map((dispatch) => dispatch.pass()));
    await events[0]!.pass();
    expect(await count('true')).toBe(EVENTS);

    const down = startSender();
    await down.pass();
    await until('attempts at a receiver that is down', async () => (await count('failures > 0')) > 20);
    await down.beforeApplicationShutdown();
    await receiver.start();

    const slow = Promise.withResolvers<void>();
    receiver.answer = (response) => void slow.promise.then(() => accept(response));
    await makeDue();
    const worker = startWorkerProcess();
    await until('slow requests', () => receiver.received.length > 2);
    // A killed worker records nothing.
    await worker.kill('SIGKILL');
    slow.resolve();

    const sender = startSender();
    for (const answer of [
      answerWith(302, { location: 'https://example.com/' }),
      answerWith(503),
      answerWith(410),
    ]) {
      receiver.answer = answer;
      const before = receiver.received.length;
      await makeDue();
      await sender.pass();
      await until('answers', () => receiver.received.length > before + 2);
    }
    await until('the switch', async () => (await webhooks.list(user))[0]!.offReason === 'gone');
    expect(await count(`status = 'pending'`)).toBe(0);

    receiver.answer = (response) => void response.socket!.destroy();
    await webhooks.change(user, webhook.id, { isOn: true });
    await sender.pass();
    await until('cut connections', async () => (await count('failures > 0')) > 10);

    const taken = new Set<string>();
    receiver.answer = (response, { event }) => {
      taken.add((event.data as { jobId: string }).jobId);
      accept(response);
    };
    await until('all events', async () => {
      await makeDue();
      await sender.pass();
      return (await count(`status <> 'succeeded'`)) === 0;
    });
    const ids = new Map<string, Set<unknown>>();
    for (const { headers, event } of receiver.received) {
      const { jobId } = event.data as { jobId: string };
      ids.set(jobId, (ids.get(jobId) ?? new Set()).add(headers['webhook-id']));
    }
    expect(taken.size).toBe(EVENTS);
    expect([...ids.values()].filter((of) => of.size !== 1)).toEqual([]);
  });

  it('switch a webhook off by an answer 410, but not if it was switched on after the request', async () => {
    const webhooks = new Webhooks(platform.dataSource, ['127.0.0.1']);
    const user = await platform.user('premium');
    const { webhook } = await webhooks.create(user, { url: receiver.url, events: ['job.succeeded'] });
    await endJobs(user, 2);
    await new WebhookEvents(platform.dataSource).pass();
    const open: ServerResponse[] = [];
    receiver.answer = (response) => void open.push(response);
    const sender = startSender();
    await sender.pass();
    await until('two requests', () => open.length === 2);
    answerWith(410)(open[0]!);
    await until('the switch', async () => (await webhooks.list(user))[0]!.offReason === 'gone');
    await webhooks.change(user, webhook.id, { isOn: true });
    receiver.answer = accept;
    answerWith(410)(open[1]!);
    await until('both events', async () => (await count(`status = 'succeeded'`)) === 2);
    expect((await webhooks.list(user))[0]!.isOn).toBe(true);
  });

  it('keep a webhook on if it is switched on while an old answer 410 is recorded', async () => {
    const webhooks = new Webhooks(platform.dataSource, ['127.0.0.1']);
    const user = await platform.user('premium');
    const { webhook } = await webhooks.create(user, { url: receiver.url, events: ['job.succeeded'] });
    await endJobs(user, 1);
    await new WebhookEvents(platform.dataSource).pass();
    const limits = { webhooks: 1, busyWebhookIds: [], busyUserIds: [] };
    const [delivery] = await claimDeliveries(platform.dataSource, limits);
    await webhooks.change(user, webhook.id, { isOn: false });
    const recorded = await platform.dataSource.transaction(async (transaction) => {
      await transaction.query('SELECT FROM webhooks WHERE id = $1 FOR UPDATE', [webhook.id]);
      const answer = { answer: { status: 410, retryAfter: null }, error: 'gone', response: '' };
      const attempt = { ...answer, sentAt: new Date(), milliseconds: 1 };
      // Begins before the webhook is on, and waits for it.
      const recording = recordAttempt(platform.dataSource, delivery!, attempt, 0);
      await until('the record to wait', async () => {
        const [waiting] = await platform.sql(
          `SELECT count(*)::integer AS count FROM pg_locks WHERE NOT granted`,
        );
        return (waiting as { count: number }).count > 0;
      });
      await switchOn(transaction, webhook.id);
      // As by a transaction that began after the record.
      await transaction.query(
        'UPDATE webhook_deliveries SET next_attempt_at = clock_timestamp() WHERE webhook_id = $1',
        [webhook.id],
      );
      return { recording };
    });
    expect(await recorded.recording).toBeNull();
    expect((await webhooks.list(user))[0]!.isOn).toBe(true);
  });

  it('are claimed by one of several workers', async () => {
    const webhooks = new Webhooks(platform.dataSource, ['127.0.0.1']);
    receiver.answer = accept;
    receiver.received.length = 0;
    const user = await platform.user('premium');
    await webhooks.create(user, { url: receiver.url, events: ['job.succeeded'] });
    await endJobs(user, 100);
    await new WebhookEvents(platform.dataSource).pass();
    const workers = [1, 2, 3].map(() => startSender());
    await Promise.all(workers.map((worker) => worker.pass()));
    await until('the end', async () => (await count(`status = 'succeeded'`)) === 100);
    expect(receiver.received).toHaveLength(100);
  });
});

describe('a request to an inside address', () => {
  const inside = [
    '127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    '192.168.0.1',
    '172.31.255.255',
    '100.64.0.1',
    '0.0.0.0',
    '::1',
    '::ffff:127.0.0.1',
    'fd00::1',
    'fe80::1',
    '64:ff9b::7f00:1',
  ];
  /** Answers with a public address the first time, and with an inside one from then on. */
  const changingLookup = (address: string) => {
    let asked = 0;
    return ((_host: string, _options: object, done: (error: null, found: dns.LookupAddress[]) => void) =>
      done(null, [
        { address: (asked += 1) > 1 ? address : '93.184.216.34', family: 4 },
        { address, family: address.includes(':') ? 6 : 4 },
      ])) as unknown as typeof dns.lookup;
  };

  it.each(inside)('%s, behind a name, connects to nothing', async (address) => {
    const { port } = new URL(receiver.url);
    const webhooks = new Webhooks(platform.dataSource, []);
    const user = await platform.user();
    const url = `https://receiver.example:${port}/${randomUUID()}`;
    const { webhook } = await webhooks.create(user, { url, events: ['job.succeeded'] });
    const before = receiver.connections;
    await webhooks.sendTest(user, webhook.id);
    const sender = startSender(createPublicFetch({ lookup: changingLookup(address) }));
    await sender.pass();
    const error = await until('the attempt', async () => {
      const { deliveries } = await webhooks.listDeliveries(user, webhook.id, { limit: 1 });
      return deliveries[0]!.lastAttempt?.error;
    });
    expect(error).toMatch(/not public/);
    expect(receiver.connections).toBe(before);
  });
});
