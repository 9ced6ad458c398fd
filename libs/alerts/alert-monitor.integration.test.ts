import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import type { WebhookEvent } from '#libs/contract/webhooks.js';
import { monthOf } from '#libs/billing/credits.js';
import { createDataSource } from '#libs/database/data-source.js';
import type { Checks } from '#libs/health/readiness.js';
import { Mailer } from '#libs/mail/mailer.js';
import { testDatabase, type TestDatabase } from '../../test/support/database.ts';
import { MailServer } from '../../test/support/mail-server.ts';
import { TestClock } from '../../test/support/test-clock.ts';
import { accept, answerWith, WebhookReceiver } from '../../test/support/webhook-receiver.ts';
import { until } from '../../test/support/until.ts';
import { alertWhileWaiting } from './alert-while-waiting.js';
import { AlertMonitor, type AlertMonitorDeps } from './alert-monitor.js';
import { createReceivers, type webhookBody } from './receivers.js';

let database: TestDatabase;
let dataSource: DataSource;
let mailServer: MailServer;
let mailer: Mailer;
let webhook: WebhookReceiver;
let checks: Checks;
let free: number;
let redisUsed: number;
const errors: string[] = [];
const clock = new TestClock();

beforeAll(async () => {
  [database, mailServer, webhook] = await Promise.all([
    testDatabase(),
    MailServer.start(),
    new WebhookReceiver().start(),
  ]);
  dataSource = await createDataSource({ url: database.url }).initialize();
  const { SMTP_URL: url, SMTP_FROM: from } = mailServer.variables() as {
    SMTP_URL: string;
    SMTP_FROM: string;
  };
  const silent = { info: () => undefined, warn: () => undefined };
  mailer = new Mailer({ url, from }, silent);
});
beforeEach(async () => {
  checks = { database: true, queue: true, storage: true };
  free = 10_000;
  redisUsed = 0;
  await dataSource.query(`INSERT INTO programs (id, kind, version, started_at, seen_at)
    VALUES ('a', 'api', '1', now(), now() + interval '1 day')`);
  await dataSource.query(`INSERT INTO worker_slots (worker_id, queue, slots, seen_at)
    SELECT 'w', queue, 1, now() + interval '1 day' FROM unnest(ARRAY['text', 'image', 'pdf']) AS queue`);
});
afterEach(async () => {
  mailServer.mails.length = 0;
  webhook.received.length = 0;
  webhook.answer = accept;
  errors.length = 0;
  await dataSource.query(`TRUNCATE alerts, programs, worker_slots, paused_queues, jobs CASCADE;
    DELETE FROM heartbeats; DELETE FROM maintenance_tasks`);
});
afterAll(async () => {
  await mailer.close();
  await mailServer.stop();
  await webhook.stop();
  await dataSource.destroy();
  await database.drop();
});

/** A process that has run for long, or has just started. */
async function process(
  options: Partial<AlertMonitorDeps> = {},
  hasJustStarted = false,
): Promise<AlertMonitor> {
  const monitor = new AlertMonitor({
    program: 'api',
    dataSource,
    readiness: {
      check: async () => checks,
      problemOf: (service: string) => `no answer from ${service}`,
    } as never,
    disk: { measure: async () => ({ free, reserved: 1_000 }) } as never,
    queue: { memoryUsed: async () => redisUsed },
    standardWaitSeconds: 600,
    readLag: () => 0,
    budgets: {},
    receivers: createReceivers(
      { mail: ['ops@example.com', 'ada@example.com'], webhookUrl: webhook.url, alertmanagerUrl: null },
      mailer,
      'https://pressroom.example.com',
    ),
    alertmanagerUrl: null,
    onError: ({ message }) => errors.push(message),
    clock,
    ...options,
  });
  if (!hasJustStarted) await clock.advance(120_000);
  return monitor;
}

/** Moves all times in the tables into the past. */
const later = (seconds: number) =>
  dataSource.query(`
    UPDATE heartbeats SET beat_at = beat_at - interval '${seconds} seconds' WHERE name LIKE 'alerts%';
    UPDATE alerts SET starts_at = starts_at - interval '${seconds} seconds', seen_at = seen_at - interval '${seconds} seconds',
      sent = (SELECT coalesce(jsonb_object_agg(key, value || jsonb_build_object('at',
        (value->>'at')::timestamptz - interval '${seconds} seconds')), '{}') FROM jsonb_each(sent))`);
/** Makes passes for a while, every 15 seconds. */
async function run(monitor: AlertMonitor, seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 15) {
    await monitor.pass();
    await clock.advance(15_000);
    await later(15);
  }
}
/** The alerts that the webhook received: one list a message. Disks of this machine are not the subject. */
const posted = () =>
  webhook.received
    .map(({ event }) => event as WebhookEvent | ReturnType<typeof webhookBody>)
    .map((body) =>
      ('alerts' in body ? body.alerts : [])
        .filter(({ labels }) => labels.alertname !== 'HostDiskLow')
        .map(({ status, labels }) => [status, ...Object.values(labels)].join(' ')),
    )
    .filter((alerts) => alerts.length > 0);
const setWorker = (isAlive: boolean) =>
  dataSource.query(
    `UPDATE worker_slots SET seen_at = now() + interval '${isAlive ? '1 day' : '-1 day'}' WHERE queue = 'pdf'`,
  );

it('sends an alert once by mail and webhook, repeats it after four hours, and says when it is over', async () => {
  const monitor = await process();
  await run(monitor, 60);
  expect(posted()).toEqual([]);
  await setWorker(false);
  await run(monitor, 45);
  expect(posted()).toEqual([]);
  await run(monitor, 60);
  expect(posted()).toEqual([['firing NoWorker page pdf']]);
  const mail = await mailServer.next('ops@example.com');
  expect(mail.to).toEqual(['ops@example.com', 'ada@example.com']);
  expect(mail.source).toMatch(/FIRING NoWorker: No worker serves the queue pdf/);

  // Another process after a restart.
  const next = await process({ program: 'worker' }, true);
  await run(next, 600);
  expect(posted()).toHaveLength(1);
  await later(4 * 3_600);
  await dataSource.query(`UPDATE alerts SET seen_at = now()`);
  await run(next, 15);
  expect(posted()).toHaveLength(2);

  await setWorker(true);
  await run(monitor, 400);
  expect(posted()).toEqual([
    ['firing NoWorker page pdf'],
    ['firing NoWorker page pdf'],
    ['resolved NoWorker page pdf'],
  ]);
  expect(await dataSource.query(`SELECT key FROM alerts WHERE name <> 'HostDiskLow'`)).toEqual([]);
  expect(errors).toEqual([]);
});

it('has the format of Alertmanager', async () => {
  const monitor = await process();
  await setWorker(false);
  await run(monitor, 105);
  expect(webhook.received[0]!.event).toMatchObject({
    version: '4',
    status: 'firing',
    externalURL: 'https://pressroom.example.com',
    alerts: expect.arrayContaining([
      {
        status: 'firing',
        labels: { alertname: 'NoWorker', severity: 'page', queue: 'pdf' },
        annotations: { summary: 'No worker serves the queue pdf.' },
        startsAt: expect.stringMatching(/Z$/),
        endsAt: '0001-01-01T00:00:00Z',
        generatorURL: 'https://pressroom.example.com',
        fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/),
      },
    ]),
  });
});

it('tries a receiver again that refused, without repeating to the other', async () => {
  webhook.answer = answerWith(500);
  const monitor = await process();
  await setWorker(false);
  await run(monitor, 300);
  expect(errors).toContain('The webhook of alerts answered 500.');
  expect(posted().length).toBeGreaterThan(1);
  expect(posted().length).toBeLessThan(6);
  expect(mailServer.mails).toHaveLength(1);
  webhook.answer = accept;
  await run(monitor, 120);
  const count = posted().length;
  await run(monitor, 600);
  expect(posted()).toHaveLength(count);
});

it('sends further alerts to one receiver while the other does not answer', async () => {
  const held = Promise.withResolvers<void>();
  const receivers = createReceivers(
    { mail: [], webhookUrl: webhook.url, alertmanagerUrl: null },
    null,
    'https://pressroom.example.com',
  );
  const monitor = await process({ receivers: [...receivers, { name: 'mail', send: () => held.promise }] });
  checks.storage = false;
  await run(monitor, 60);
  const passes = [monitor.pass()];
  await until('the first alert', () => posted().length === 1);
  free = 500;
  for (let passed = 0; passed < 480; passed += 15) {
    await later(15);
    await until('a pass', async () => {
      passes.push(monitor.pass());
      const [row] = await dataSource.query<{ at: Date }[]>(
        `SELECT max(seen_at) > now() - interval '10 seconds' AS at FROM alerts WHERE name = 'DiskLow'`,
      );
      return row!.at;
    });
  }
  await until('the second alert', () => posted().length === 2);
  expect(posted()[1]).toEqual(expect.arrayContaining([expect.stringContaining('firing DiskLow')]));
  held.resolve();
  await Promise.all(passes);
});

it('sends one message in five minutes while conditions come and go', async () => {
  const monitor = await process();
  for (let change = 0; change < 8; change += 1) {
    await setWorker(change % 2 === 1);
    await run(monitor, 150);
  }
  expect(posted().length).toBeLessThanOrEqual(5);
});

it('knows queues, failed jobs, disks, services, and silent programs', async () => {
  await dataSource.query(`
    INSERT INTO users (id, name, plan) VALUES ('ada', 'Ada', 'free');
    INSERT INTO jobs (id, user_id, tool, queue, title, priority, status, created_at, finished_at)
      SELECT gen_random_uuid(), 'ada', 'humanize-text', 'text', '', 'standard', 'failed', now(), now() FROM generate_series(1, 11);
    INSERT INTO jobs (id, user_id, tool, queue, title, priority, created_at) VALUES
      (gen_random_uuid(), 'ada', 'humanize-text', 'text', '', 'premium', now() - interval '3 minutes'),
      (gen_random_uuid(), 'ada', 'humanize-text', 'text', '', 'standard', now() - interval '16 minutes');
    INSERT INTO paused_queues (queue, reason) VALUES ('image', 'new key');
    UPDATE programs SET seen_at = now() - interval '1 minute';
    INSERT INTO maintenance_tasks VALUES
      ('retention', 'w', now() - interval '4 hours', 1), ('partitions', 'w', now() - interval '4 hours', 1),
      ('previews', 'w', now() - interval '4 hours', 1)`);
  checks = { database: true, queue: false, storage: true };
  free = 1_500;
  redisUsed = 0.95;
  await (await process()).pass();
  const found = await dataSource.query<{ line: string }[]>(
    `SELECT name || ': ' || summary AS line FROM alerts WHERE name <> 'HostDiskLow' ORDER BY name, summary`,
  );
  expect(found.map(({ line }) => line)).toEqual([
    'ApiDown: No api answers.',
    'DiskLow: The disk for files has 0 MB left.',
    'JobsFail: 11 of the last 11 jobs of humanize-text failed.',
    'MaintenanceOverdue: The maintenance task partitions has not succeeded for three hours.',
    'MaintenanceOverdue: The maintenance task retention has not succeeded for three hours.',
    'QueuePaused: The queue image is paused: new key.',
    'QueueSlow: A premium job has waited 3 minutes in text.',
    'QueueStarved: A standard job has waited 16 minutes in text.',
    'RedisMemory: 95 % of the memory of Redis are in use.',
    'ServiceNotReady: Not ready: no answer from queue.',
  ]);
});

it.each([
  [600, 14, 0],
  [600, 16, 1],
  [1_200, 29, 0],
  [60, 2, 1],
])('counts a standard job as starved by STANDARD_WAIT_SECONDS=%s after %s minutes: %s', async (...given) => {
  const [standardWaitSeconds, minutes, expected] = given;
  await dataSource.query(`
    INSERT INTO users (id, name, plan) VALUES ('ada', 'Ada', 'free') ON CONFLICT DO NOTHING;
    INSERT INTO jobs (id, user_id, tool, queue, title, priority, created_at) VALUES
      (gen_random_uuid(), 'ada', 'humanize-text', 'text', '', 'standard', now() - interval '${minutes} minutes')`);
  await (await process({ standardWaitSeconds })).pass();
  expect(await dataSource.query(`SELECT FROM alerts WHERE name = 'QueueStarved'`)).toHaveLength(expected);
});

it.each([
  [0.9, []],
  [0.91, ['91 % of the connections of the database are in use.']],
])('reports %s of the connections of the database: %j', async (part, expected) => {
  // A schema before the catalogue stands for other sessions, which other tests could not open then.
  await dataSource.query(`CREATE SCHEMA busy;
    CREATE VIEW busy.pg_stat_activity AS SELECT 1 AS datid FROM generate_series(1, 100 * ${part});
    CREATE FUNCTION busy.current_setting(text) RETURNS text RETURN '100';
    ALTER DATABASE "${new URL(database.url).pathname.slice(1)}" SET search_path = busy, pg_catalog, public`);
  const busy = await createDataSource({ url: database.url }).initialize();
  await (await process({ dataSource: busy })).pass();
  await busy.destroy();
  await dataSource.query(`DROP SCHEMA busy CASCADE;
    ALTER DATABASE "${new URL(database.url).pathname.slice(1)}" RESET search_path`);
  expect(await dataSource.query(`SELECT summary FROM alerts WHERE name = 'DatabaseConnections'`)).toEqual(
    expected.map((summary) => ({ summary })),
  );
});

it('is sent by one of several processes', async () => {
  const monitors = [await process(), await process({ program: 'worker' }), await process()];
  await setWorker(false);
  for (let round = 0; round < 10; round += 1) {
    await Promise.all(monitors.map((one) => one.pass()));
    await later(15);
  }
  expect(posted()).toEqual([['firing NoWorker page pdf']]);
});

it('is sent by an api while the database is down, from its memory', async () => {
  const monitor = await process();
  const worker = await process({ program: 'worker' });
  checks = { ...checks, database: false };
  for (let round = 0; round < 20; round += 1) {
    await monitor.pass();
    await worker.pass();
    await clock.advance(15_000);
  }
  expect(posted()).toEqual([['firing ServiceNotReady page database']]);
  await clock.advance(4 * 3_600_000);
  await monitor.pass();
  expect(posted()).toHaveLength(2);
  checks = { ...checks, database: true };
  webhook.answer = answerWith(500);
  await monitor.pass();
  expect(posted()).toHaveLength(3);
  webhook.answer = accept;
  await monitor.pass();
  expect(posted()).toHaveLength(3);
  await clock.advance(60_000);
  await monitor.pass();
  await monitor.pass();
  expect(posted().slice(2)).toEqual([
    ['resolved ServiceNotReady page database'],
    ['resolved ServiceNotReady page database'],
  ]);
});

it('is sent by an api that waits for the database at its start', async () => {
  const alerts = { mail: [], webhookUrl: webhook.url, alertmanagerUrl: null };
  const end = await alertWhileWaiting(
    { alerts, mail: null, publicUrl: 'https://pressroom.example.com', databaseUrl: database.url },
    clock,
  );
  await clock.advance(45_000);
  expect(posted()).toEqual([]);
  await clock.advance(30_000);
  await until('the alert', () => posted().length === 1);
  await end();
  await until('its end', () => posted().length === 2);
  expect(
    posted()
      .flat()
      .map((line) => line.split(' ')[0]),
  ).toEqual(['firing', 'resolved']);
});

it('does not say again that the database is back while it is not', async () => {
  const alerts = { mail: [], webhookUrl: webhook.url, alertmanagerUrl: null };
  const config = { alerts, mail: null, publicUrl: 'https://pressroom.example.com' };
  const clock = new TestClock();
  const wait = async (databaseUrl: string) => {
    webhook.received.length = 0;
    webhook.answer = accept;
    const end = await alertWhileWaiting({ ...config, databaseUrl }, clock);
    await clock.advance(75_000);
    await until('the alert', () => posted().length === 1);
    webhook.answer = answerWith(500);
    await end();
    await until('the refused message', () => posted().length === 2);
    webhook.answer = accept;
  };
  await wait('postgres://127.0.0.1:1/none');
  for (let tried = 0; tried < 8; tried += 1) {
    await clock.advance(15_000);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(posted()).toHaveLength(2);

  await wait(database.url);
  await until('the end', async () => {
    await clock.advance(15_000);
    return posted().length === 3;
  });
});

/** An Alertmanager with its answers, which delivers. */
async function startAlertmanager() {
  const state = { watchdogEndsAt: '2100-01-01T00:00:00.000Z', receiver: 'email_configs', failed: 0 };
  const answers: Record<string, () => string> = {
    '/-/ready': () => 'OK',
    '/api/v2/alerts': () =>
      JSON.stringify([{ labels: { alertname: 'Watchdog' }, endsAt: state.watchdogEndsAt }]),
    '/api/v2/status': () => {
      const configs = state.receiver && `\n  ${state.receiver}:\n  - send_resolved: true`;
      const original = `route:\n  receiver: operators\nreceivers:\n- name: nobody\n- name: operators${configs}\n`;
      return JSON.stringify({ config: { original } });
    },
    '/metrics': () =>
      `alertmanager_notifications_failed_total{integration="email",reason="other"} ${state.failed}\n`,
  };
  const server = createServer(({ url }, response) => {
    const answer = answers[new URL(url!, 'http://alertmanager').pathname];
    response.writeHead(answer ? 200 : 404).end(answer?.());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  };
  return { url, state, stop };
}

it('is left to Alertmanager while that runs', async () => {
  const alertmanager = await startAlertmanager();
  const monitor = await process({ alertmanagerUrl: alertmanager.url });
  await setWorker(false);
  await run(monitor, 150);
  expect(posted()).toEqual([]);
  await alertmanager.stop();
  await run(monitor, 30);
  expect(posted()).toEqual([['firing NoWorker page pdf']]);
});

it.each([
  ['Prometheus sends it nothing', { watchdogEndsAt: '2020-01-01T00:00:00.000Z' }],
  ['it has no receiver', { receiver: '' }],
  ['its messages fail', { failed: 1 }],
])('is not left to Alertmanager when %s', async (_, change) => {
  const alertmanager = await startAlertmanager();
  const monitor = await process({ alertmanagerUrl: alertmanager.url });
  await setWorker(false);
  await run(monitor, 150);
  expect(posted()).toEqual([]);
  Object.assign(alertmanager.state, change);
  await run(monitor, 30);
  expect(posted()).toEqual([['firing NoWorker page pdf']]);
  await alertmanager.stop();
});

it('cannot break the program', async () => {
  const monitor = await process({ disk: { measure: () => Promise.reject(new Error('no disk')) } as never });
  await monitor.pass();
  expect(errors).toEqual(['no disk']);
});

it('raises the others if the budgets cannot be read', async () => {
  const budgets = {
    get user(): number {
      throw new Error('Too slow');
    },
  };
  const monitor = await process({ budgets });
  await setWorker(false);
  await run(monitor, 105);
  expect(posted()).toEqual([['firing NoWorker page pdf']]);
  // Read once a minute.
  expect(errors).toEqual(['Too slow', 'Too slow']);
});

it('mails at 80 % and at 100 % of a budget', async () => {
  const monitor = await process({ budgets: { all: 1_000, user: 1_000 } });
  const spend = (cost: number) =>
    dataSource.query(
      `INSERT INTO provider_spending AS s VALUES ($1, 'free', $2)
       ON CONFLICT (month, plan) DO UPDATE SET cost = s.cost + excluded.cost`,
      [monthOf(new Date(clock.now())), cost],
    );
  await spend(790);
  await run(monitor, 90);
  expect(mailServer.mails).toEqual([]);
  await spend(60);
  await run(monitor, 150);
  await until('the mail is there', () => mailServer.mails.length > 0);
  expect(mailServer.mails.at(-1)!.source).toContain('The monthly budget for AI services is at 85 %.');
  const mails = mailServer.mails.length;
  await spend(150);
  await run(monitor, 400);
  await until('the second mail is there', () => mailServer.mails.length > mails);
  expect(mailServer.mails.at(-1)!.source).toContain('The monthly budget for AI services is used up.');
  await dataSource.query('DELETE FROM provider_spending');
});

it('raises an alert for each user above 80 % of the budget of users', async () => {
  const monitor = await process({ budgets: { user: 1_000 } });
  const spend = (userId: string, cost: number) =>
    dataSource.query(
      `WITH known AS (INSERT INTO users (id, name) VALUES ($1, $1) ON CONFLICT DO NOTHING)
       INSERT INTO provider_calls (id, job_id, attempt, user_id, plan, tool, model, provider, kind, status, started_at, cost)
       VALUES (gen_random_uuid(), gen_random_uuid(), 1, $1, 'free', 'generate-article', 'm', 'main', 'chat', 'ok', $3, $2)`,
      [userId, cost, new Date(clock.now())],
    );
  await spend('ada', 900);
  await spend('ben', 850);
  await spend('cem', 500);
  await run(monitor, 150);
  expect(posted().flat().sort()).toEqual([
    'firing BudgetNearlyUsed ticket ada user',
    'firing BudgetNearlyUsed ticket ben user',
  ]);
  expect(mailServer.mails.at(-1)!.source).toContain(
    'The monthly budget of the user ada for AI services is at 90 %.',
  );
  await dataSource.query('DELETE FROM provider_calls');
  await dataSource.query('DELETE FROM users');
});
