import { createPublicKey, verify } from 'node:crypto';
import { afterEach, beforeAll, afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import type { Webhook, WebhookDelivery, WebhookDeliveryDetails } from '#libs/contract/webhooks.js';
import { handlers } from '#libs/tools/handlers.js';
import { discOnBlue } from '../../test/support/image-files.ts';
import { form, json, type SignedInUser, useInProcessProduct } from '../../test/support/in-process-product.ts';
import { MailServer } from '../../test/support/mail-server.ts';
import { addProbeTools, closeGate, gate } from '../../test/support/probe-tools.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';
import { until } from '../../test/support/until.ts';
import { answerWith, type ReceivedEvent, WebhookReceiver } from '../../test/support/webhook-receiver.ts';

allowTimeForPrograms();

// Returns the uploaded picture, so that no model has to run.
addProbeTools();
Object.assign(handlers, {
  'remove-image-background': (handlers as Record<string, unknown>)['probe-image'],
});

/** Lets a step of a flow wait as the probes do. */
const titles = handlers['generate-blog-title'];
Object.assign(handlers, {
  'generate-blog-title': {
    ...titles,
    offline: async (...call: Parameters<typeof titles.offline>) => {
      await gate.opened;
      return titles.offline(...call);
    },
  },
});

const mail = await MailServer.start();
afterAll(() => mail.stop());
const product = useInProcessProduct({
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1',
  RATE_LIMIT_REQUESTS: '10000',
  ...mail.variables(),
});
const receiver = new WebhookReceiver();
let ada: SignedInUser;
let bob: SignedInUser;
beforeAll(async () => void (await receiver.start()));
afterAll(() => receiver.stop());

beforeEach(async () => {
  [ada, bob] = [await product.signUp('Ada', 'premium'), await product.signUp('Bob')];
  await product.sql('DELETE FROM webhooks');
  receiver.received.length = 0;
  receiver.answer = answerWith(204);
});
afterEach(() => gate.open());

interface Answered {
  code?: string;
  message: string;
  webhook: Webhook;
  webhooks: Webhook[];
  secret: string;
  delivery: WebhookDelivery & WebhookDeliveryDetails;
  deliveries: WebhookDelivery[];
  nextCursor: string | null;
}
const read = async (answer: Promise<Response>) => (await (await answer).json()) as Answered;

const all = ['job.succeeded', 'job.failed', 'batch.finished', 'flow.finished'];
const create = (events = all, url = receiver.url, user = ada) =>
  read(user.call('/api/webhooks', { json: { url, events } }));
const deliveries = async (id: string, query = '') =>
  (await read(ada.call(`/api/webhooks/${id}/deliveries${query}`))).deliveries;
const change = (id: string, settings: object) =>
  read(ada.call(`/api/webhooks/${id}`, { method: 'PATCH', json: settings }));
const test = (id: string) => read(ada.call(`/api/webhooks/${id}/test`, { method: 'POST' }));

const startJob = async (note = 'a note') => {
  const resume = { bytes: Buffer.from('%PDF-1.4\n%%EOF'), name: 'a.pdf', type: 'application/pdf' };
  const answer = await json(
    await ada.call('/api/ai/probe-pdf', { method: 'POST', body: form({ note, resume }) }),
  );
  return answer.jobId ?? answer.job.id;
};

/** Makes a waiting delivery due now. */
const makeDue = () =>
  product.sql(`UPDATE webhook_deliveries SET next_attempt_at = now() WHERE status = 'pending'`);

const receivedOne = async (type: string): Promise<ReceivedEvent> => {
  await until(`an event ${type}`, () => receiver.ofType(type).length > 0);
  return receiver.ofType(type)[0]!;
};

describe('webhooks', () => {
  it('are created, changed, listed and deleted by their owner alone', async () => {
    const { webhook, secret } = await create(['job.failed']);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(webhook).toMatchObject({
      url: receiver.url,
      events: ['job.failed'],
      isOn: true,
      offReason: null,
      publicKey: expect.stringMatching(/^whpk_[A-Za-z0-9+/]{43}=$/),
    });
    const changed = await change(webhook.id, { events: ['job.succeeded'] });
    expect(changed.webhook.events).toEqual(['job.succeeded']);
    expect((await read(ada.call('/api/webhooks'))).webhooks).toEqual([changed.webhook]);
    expect((await read(bob.call('/api/webhooks'))).webhooks).toEqual([]);
    for (const [method, path] of [
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/rotate'],
      ['POST', '/test'],
      ['GET', '/deliveries'],
    ] as const) {
      const json = method === 'PATCH' ? { json: { isOn: false } } : {};
      const answer = await bob.call(`/api/webhooks/${webhook.id}${path}`, { method, ...json });
      expect([path, answer.status]).toEqual([path, 404]);
    }
    expect((await ada.call(`/api/webhooks/${webhook.id}`, { method: 'DELETE' })).status).toBe(200);
    expect((await read(ada.call('/api/webhooks'))).webhooks).toEqual([]);
  });

  it.each([
    ['ftp://example.com/'],
    ['example.com'],
    ['https://user:word@example.com/'],
    ['https://10.0.0.1/'],
    ['https://[::1]/'],
    ['https://2130706434/'],
    ['http://93.184.216.34/'],
    ['a long address', `https://example.com/${'a'.repeat(2_000)}`],
  ])('are refused for %s', async (name, url = name) => {
    expect(await create(all, url)).toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  it('are refused without events, with unknown and with repeated ones, and above ten', async () => {
    for (const events of [[], ['job.started'], ['job.failed', 'job.failed']])
      expect(await create(events)).toMatchObject({ code: 'VALIDATION_FAILED' });
    const answers = await Promise.all(Array.from({ length: 12 }, () => create()));
    expect(answers.filter(({ webhook }) => webhook)).toHaveLength(10);
    expect(answers.find(({ code }) => code)).toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  it('are managed with a key of their scope, and with no other', async () => {
    for (const [scope, status] of [
      ['webhooks', 200],
      ['write', 403],
    ] as const) {
      const { secret } = await read(ada.call('/api/keys', { json: { name: scope, scopes: [scope] } }));
      const answer = await fetch(`${product.origin}/api/webhooks`, {
        headers: { Authorization: `Bearer ${secret}` },
      });
      expect([scope, answer.status]).toEqual([scope, status]);
    }
  });
});

describe('events', () => {
  it('are sent for a job that succeeded, signed in both forms', async () => {
    const { webhook, secret } = await create(['job.succeeded', 'job.failed']);
    const jobId = await startJob();
    const { headers, body, event } = await receivedOne('job.succeeded');
    expect(event.data).toMatchObject({
      jobId,
      tool: 'probe-pdf',
      batchId: null,
      creationId: expect.any(String),
    });
    expect(headers['content-type']).toBe('application/json');
    expect(new StandardWebhook(secret).verify(body, headers as Record<string, string>)).toEqual(event);
    verifyAsymmetric(webhook.publicKey, { headers, body });
    await until('the record', async () => (await deliveries(webhook.id))[0]?.lastAttempt);
    const [delivery] = await deliveries(webhook.id);
    expect(delivery).toMatchObject({
      id: headers['webhook-id'],
      type: 'job.succeeded',
      status: 'succeeded',
      attempts: 1,
      lastAttempt: { status: 204, error: null },
    });
    expect(receiver.received).toHaveLength(1);
  });

  it('are sent for a job that failed, and not for one that was cancelled', async () => {
    await create(['job.succeeded', 'job.failed']);
    closeGate();
    const answer = await ada.call('/api/ai/probe-hasty', {
      json: { note: 'too slow' },
      headers: { Prefer: 'respond-async' },
    });
    const { job } = await json(answer);
    const { event } = await receivedOne('job.failed');
    expect(event.data).toMatchObject({ jobId: job.id, error: { code: 'JOB_TIMED_OUT' } });
    const other = await json(
      await ada.call('/api/ai/probe-hasty', { json: { note: 'x' }, headers: { Prefer: 'respond-async' } }),
    );
    await ada.call(`/api/jobs/${other.job.id}`, { method: 'DELETE' });
    gate.open();
    await startJob();
    await receivedOne('job.succeeded');
    expect(receiver.received.map(({ event: { data } }) => (data as { jobId: string }).jobId)).not.toContain(
      other.job.id,
    );
  });

  it('are sent once for a batch that has finished, with its counts', async () => {
    await create(['batch.finished']);
    const picture = await discOnBlue(64, 64).png().toBuffer();
    const items = ['a.png', 'b.png', 'c.png', 'd.png'].map((name) => ({
      id: name,
      name,
      size: picture.length,
    }));
    const { batch } = (await (
      await ada.call('/api/batches', { json: { tool: 'remove-image-background', items } })
    ).json()) as { batch: { id: string } };
    await Promise.all(
      [1, 2, 3].map((n) =>
        ada.call(`/api/batches/${batch.id}/items/${n}`, {
          method: 'POST',
          body: form({ image: { bytes: picture, name: 'a.png', type: 'image/png' } }),
        }),
      ),
    );
    await until('the jobs of the batch', async () => {
      const found = await product.sql(
        `SELECT count(*)::integer FROM jobs WHERE batch_id = '${batch.id}' AND status = 'succeeded'`,
      );
      return found[0]!.count === 3;
    });
    expect(receiver.received).toEqual([]);
    await ada.call(`/api/batches/${batch.id}/items/4`, { method: 'DELETE' });
    const { event } = await receivedOne('batch.finished');
    expect(event.data).toMatchObject({
      batchId: batch.id,
      status: 'ended',
      counts: { total: 4, succeeded: 3, leftOut: 1 },
    });
    await sendAndAwaitTest();
    expect(receiver.ofType('batch.finished')).toHaveLength(1);
  });

  it('are sent once for a flow that ended', async () => {
    await create(['flow.finished']);
    const answer = await ada.call('/api/flows/article', {
      json: { prompt: 'Salt marshes', steps: 'generate-blog-title,generate-article' },
    });
    const { flow } = (await answer.json()) as { flow: { id: string } };
    const { event } = await receivedOne('flow.finished');
    expect(event.data).toMatchObject({ flowId: flow.id, status: 'ended' });
    await sendAndAwaitTest();
    expect(receiver.ofType('flow.finished')).toHaveLength(1);
  });

  it('are sent again for a batch whose picture is tried again', async () => {
    await create(['batch.finished']);
    closeGate();
    const picture = await discOnBlue(64, 64).png().toBuffer();
    const items = [{ id: 'a', name: 'a.png', size: picture.length }];
    const answer = await ada.call('/api/batches', { json: { tool: 'remove-image-background', items } });
    const { batch } = (await answer.json()) as { batch: { id: string } };
    const image = { bytes: picture, name: 'a.png', type: 'image/png' };
    const sent = await ada.call(`/api/batches/${batch.id}/items/1`, {
      method: 'POST',
      body: form({ image }),
    });
    const { item } = (await sent.json()) as { item: { jobId: string } };
    await ada.call(`/api/jobs/${item.jobId}`, { method: 'DELETE' });
    const { event } = await receivedOne('batch.finished');
    expect(event.data).toMatchObject({ batchId: batch.id, counts: { cancelled: 1, succeeded: 0 } });
    gate.open();
    await ada.call(`/api/jobs/${item.jobId}/retry`, { method: 'POST' });
    await until('the second end', () => receiver.received.length === 2);
    expect(receiver.received[1]!.event.data).toMatchObject({ batchId: batch.id, counts: { succeeded: 1 } });
  });

  it('are sent for a flow that stops at a step', async () => {
    await create(['flow.finished']);
    closeGate();
    const answer = await ada.call('/api/flows/article', {
      json: { prompt: 'Salt marshes', steps: 'generate-blog-title,generate-article' },
    });
    const { flow } = (await answer.json()) as { flow: { id: string; steps: { jobId: string }[] } };
    await ada.call(`/api/jobs/${flow.steps[0]!.jobId}`, { method: 'DELETE' });
    const { event } = await receivedOne('flow.finished');
    expect(event.data).toMatchObject({
      flowId: flow.id,
      status: 'stopped',
      steps: [{ state: 'cancelled' }, { state: 'waiting' }],
    });
  });

  it('are only those of the owner, that the webhook names, while it is on', async () => {
    const mine = await create(['job.failed']);
    const off = await create(['job.succeeded']);
    await change(off.webhook.id, { isOn: false });
    await create(['job.succeeded'], receiver.url, bob);
    await startJob();
    await sendAndAwaitTest();
    expect(receiver.ofType('job.succeeded')).toEqual([]);
    expect(await deliveries(mine.webhook.id)).toEqual([]);
  });
});

/** Sends a test event after everything else, and waits for it. */
async function sendAndAwaitTest() {
  const { webhook } = await create(['job.failed']);
  await test(webhook.id);
  await receivedOne('webhook.test');
}

function verifyAsymmetric(publicKey: string, { headers, body }: Pick<ReceivedEvent, 'headers' | 'body'>) {
  const raw = Buffer.from(publicKey.replace('whpk_', ''), 'base64');
  const key = createPublicKey({
    key: Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), raw]),
    type: 'spki',
    format: 'der',
  });
  const content = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  const signatures = String(headers['webhook-signature'])
    .split(' ')
    .filter((signature) => signature.startsWith('v1a,'));
  expect(
    signatures.some((signature) =>
      verify(null, Buffer.from(content), key, Buffer.from(signature.slice(4), 'base64')),
    ),
  ).toBe(true);
}

describe('a receiver', () => {
  it('that is down gets the event with the same id when it is up again', async () => {
    const { webhook } = await create(['job.succeeded']);
    await receiver.stop();
    await startJob();
    await until('a failed attempt', async () => (await deliveries(webhook.id))[0]?.lastAttempt?.error);
    const [failed] = await deliveries(webhook.id);
    expect(failed).toMatchObject({
      status: 'pending',
      attempts: 1,
      lastAttempt: { status: null, error: 'The connection was refused.' },
    });
    await receiver.start();
    await makeDue();
    const { headers } = await receivedOne('job.succeeded');
    expect(headers['webhook-id']).toBe(failed!.id);
  });

  it.each([
    [302, { location: 'https://example.com/' }, /redirect/],
    [500, {}, /answered 500/],
    [404, {}, /answered 404/],
  ])('that answers %i gets it again', async (status, headers, error) => {
    const { webhook } = await create();
    receiver.answer = answerWith(status, headers, 'What\0 happened');
    await test(webhook.id);
    await receivedOne('webhook.test');
    await until('the record', async () => (await deliveries(webhook.id))[0]?.lastAttempt);
    const [{ id }] = (await deliveries(webhook.id)) as [WebhookDelivery];
    const { delivery } = await read(ada.call(`/api/webhooks/${webhook.id}/deliveries/${id}`));
    expect(delivery).toMatchObject({ status: 'pending', attempts: 1, type: 'webhook.test' });
    expect(JSON.parse(delivery.payload)).toEqual(receiver.received[0]!.event);
    expect(delivery.log).toEqual([
      expect.objectContaining({
        n: 1,
        status,
        error: expect.stringMatching(error),
        response: 'What happened',
      }),
    ]);
    receiver.answer = answerWith(200);
    await makeDue();
    await until('the second attempt', () => receiver.received.length === 2);
    expect(receiver.received[1]!.headers['webhook-id']).toBe(id);
    expect(receiver.received[1]!.body).toBe(receiver.received[0]!.body);
  });

  it.each([429, 502, 504])('that answers %i gets nothing more for a while', async (status) => {
    const { webhook } = await create();
    receiver.answer = answerWith(status, { 'retry-after': '3000' });
    await test(webhook.id);
    await until('the record', async () => (await deliveries(webhook.id))[0]?.lastAttempt);
    const [{ nextAttemptAt }] = (await deliveries(webhook.id)) as [WebhookDelivery];
    expect(Date.parse(nextAttemptAt!) - Date.now()).toBeGreaterThan(2_900_000);
    await test(webhook.id);
    await makeDue();
    const { webhook: other } = await create();
    receiver.answer = answerWith(200);
    await test(other.id);
    await until('the event of the other', () => receiver.received.length === 2);
    expect(receiver.received[1]!.event.data).toEqual({ webhookId: other.id });
  });

  it('that answers 410 is switched off, and its owner gets a mail', async () => {
    const { webhook } = await create();
    receiver.answer = answerWith(410);
    await test(webhook.id);
    await until(
      'the end',
      async () => (await read(ada.call('/api/webhooks'))).webhooks[0]!.offReason === 'gone',
    );
    expect((await deliveries(webhook.id))[0]).toMatchObject({ status: 'paused' });
    expect(await test(webhook.id)).toMatchObject({
      code: 'VALIDATION_FAILED',
      message: expect.stringMatching(/off/),
    });
    const { source } = await mail.next(ada.email);
    expect(source).toContain(`Your webhook ${receiver.url} answered that it is gone`);
    receiver.answer = answerWith(200);
    await change(webhook.id, { isOn: true });
    await until('the waiting event', () => receiver.received.length === 2);
  });

  it('that fails for three days is switched off', async () => {
    const { webhook } = await create();
    receiver.answer = answerWith(500);
    await product.sql(`UPDATE webhooks SET failing_since = now() - interval '73 hours', failures = 18`);
    await test(webhook.id);
    await until('the first', async () => (await deliveries(webhook.id))[0]?.lastAttempt);
    expect((await read(ada.call('/api/webhooks'))).webhooks[0]).toMatchObject({ isOn: true });
    await makeDue();
    await until(
      'the end',
      async () => (await read(ada.call('/api/webhooks'))).webhooks[0]!.offReason === 'failing',
    );
  });

  it('that reads slowly does not delay the others', async () => {
    const slow = await create();
    receiver.answer = (response, { event }) => {
      if ((event.data as { webhookId: string }).webhookId !== slow.webhook.id) response.end();
    };
    for (let n = 0; n < 3; n += 1) await test(slow.webhook.id);
    await until('the slow requests', () => receiver.received.length >= 3);
    const fast = await create();
    await test(fast.webhook.id);
    await until('the fast one', async () => (await deliveries(fast.webhook.id))[0]?.status === 'succeeded');
  });
});

describe('keys', () => {
  it('of before a rotation sign too, for a day', async () => {
    const first = await create();
    const second = await read(ada.call(`/api/webhooks/${first.webhook.id}/rotate`, { method: 'POST' }));
    expect(second.secret).not.toBe(first.secret);
    expect(Date.parse(second.webhook.rotatedUntil!)).toBeGreaterThan(Date.now() + 86_000_000);
    await test(first.webhook.id);
    const { headers, body } = await receivedOne('webhook.test');
    for (const { secret, webhook } of [first, second]) {
      new StandardWebhook(secret).verify(body, headers as Record<string, string>);
      verifyAsymmetric(webhook.publicKey, { headers, body });
    }
    await product.sql(`UPDATE webhooks SET rotated_at = now() - interval '25 hours'`);
    receiver.received.length = 0;
    await test(first.webhook.id);
    const later = await receivedOne('webhook.test');
    const verifyWith = (secret: string) =>
      new StandardWebhook(secret).verify(later.body, later.headers as Record<string, string>);
    expect(() => verifyWith(first.secret)).toThrow();
    expect(verifyWith(second.secret)).toEqual(later.event);
  });
});

describe('the log', () => {
  it('is listed in pages, newest first, by status', async () => {
    const { webhook } = await create();
    for (let n = 0; n < 3; n += 1) await test(webhook.id);
    await until('three', async () => (await deliveries(webhook.id, '?status=succeeded')).length === 3);
    const first = await read(ada.call(`/api/webhooks/${webhook.id}/deliveries?limit=2`));
    const second = await read(
      ada.call(`/api/webhooks/${webhook.id}/deliveries?limit=2&cursor=${first.nextCursor}`),
    );
    expect(new Set([...first.deliveries, ...second.deliveries].map(({ id }) => id)).size).toBe(3);
    expect(second.nextCursor).toBeNull();
    expect(await deliveries(webhook.id, '?status=failed')).toEqual([]);
  });

  it('has deliveries that are sent again, with the same id', async () => {
    const { webhook } = await create();
    const { delivery } = await test(webhook.id);
    await receivedOne('webhook.test');
    await until('the record', async () => (await deliveries(webhook.id))[0]?.status === 'succeeded');
    const path = `/api/webhooks/${webhook.id}/deliveries/${delivery.id}`;
    expect((await read(ada.call(`${path}/resend`, { method: 'POST' }))).delivery.status).toBe('pending');
    await until('the second request', () => receiver.received.length === 2);
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([delivery.id, delivery.id]);
    await until('its record', async () => (await read(ada.call(path))).delivery.log.length === 2);
    expect((await bob.call(`${path}/resend`, { method: 'POST' })).status).toBe(404);
  });

  it('cannot be used to send many requests', async () => {
    const { webhook } = await create();
    const statuses = [];
    for (let n = 0; n < 11; n += 1)
      statuses.push((await ada.call(`/api/webhooks/${webhook.id}/test`, { method: 'POST' })).status);
    expect(statuses.at(-1)).toBe(429);
  });
});
