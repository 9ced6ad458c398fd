import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import type { Flow } from '#libs/contract/flows.js';
import { tools } from '#libs/tools/catalogue.js';
import {
  servicePairs,
  startProductWithServices,
  type ProductWithServices,
} from '../endpoints/product-with-services.ts';
import { codeOf } from '../support/authenticator-app.ts';
import { findTraces } from '../support/find-traces.ts';
import { form, PASSWORD } from '../support/in-process-product.ts';
import { makePdf } from '../support/pdf.ts';
import { resumePages } from '../support/resumes.ts';
import { allowTimeForPrograms } from '../support/time-limits.ts';
import { until } from '../support/until.ts';
import { PUBLIC_URL, User, type Answer } from './running-product.ts';

allowTimeForPrograms();

/** A job's title once its texts are deleted. */
const TITLE = tools['generate-article'].title;
/** Long enough for what is kept a moment for other processes. */
const SOON = { seconds: 120, every: 500 };

const marker = (what: string) => `${what}${randomUUID().slice(0, 8)}`;

async function noisePng(): Promise<Buffer> {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 40 };
  return sharp({ create: { width: 64, height: 64, channels: 3, background: 'teal', noise } })
    .png()
    .toBuffer();
}

describe.each(servicePairs)('Deletion: queue on $queue, objects on $store', (services) => {
  let opened: ProductWithServices;
  let ada: User;
  /** Texts that the tests deleted: retention runs once, after all of them. */
  const deleted = { texts: [] as string[], files: [] as Buffer[] };
  let deletedUser: string;
  const outputs: (() => string)[] = [];

  beforeAll(async () => {
    opened = await startProductWithServices('openai', services, { LOG_LEVEL: 'trace' });
    ada = await signUp(marker('Name'), `${marker('mail')}@example.com`);
  });
  afterAll(() => opened.close());

  async function signUp(name: string, email: string): Promise<User> {
    const { product } = opened;
    const json = { email, password: PASSWORD, name };
    const session = await product.call('/api/auth/sign-up/email', { json });
    const { token } = (await product.call('/api/auth/token', { token: session.body.token as string })).body;
    const user = new User(product, (session.body.user as { id: string }).id, token as string);
    await user.account();
    await product.sql(`UPDATE users SET plan = 'premium' WHERE id = '${user.id}'`);
    return user;
  }

  /** An authenticator app, a browser it trusts, a passkey, another one that is being added, and an open queue board. */
  async function addSecondFactors({ id }: User, email: string): Promise<User> {
    const { product } = opened;
    const auth = async (path: string, options: Parameters<typeof product.call>[1]) => {
      const answer = await product.call(`/api/auth${path}`, options);
      expect(answer).toMatchObject({ status: 200 });
      return answer;
    };
    const signIn = () => auth('/sign-in/email', { json: { email, password: PASSWORD } });
    const token = (await signIn()).body.token as string;
    const app = await auth('/two-factor/enable', { token, json: { password: PASSWORD } });
    const secret = new URL(app.body.totpURI as string).searchParams.get('secret')!;
    await auth('/two-factor/verify-totp', { token, json: { code: codeOf(secret) } });
    const cookie = (await signIn()).headers
      .getSetCookie()
      .map((set) => set.split(';')[0])
      .join('; ');
    const trusted = await auth('/two-factor/verify-totp', {
      headers: { cookie, origin: PUBLIC_URL },
      json: { code: codeOf(secret, 1), trustDevice: true },
    });
    const session = trusted.body.token as string;
    await product.sql(
      `INSERT INTO auth_passkeys ("id", "name", "publicKey", "userId", "credentialID", "counter", "deviceType", "backedUp")
       VALUES ('key', 'Key of ${email}', 'x', '${id}', 'x', 0, 'singleDevice', false)`,
    );
    await auth('/passkey/generate-register-options', { token: session });
    await product.sql(`UPDATE users SET role = 'admin' WHERE id = '${id}'`);
    const { body } = await auth('/token', { token: session });
    // The app has ended the sessions that began without it.
    const signedIn = new User(product, id, body.token as string);
    ok(await signedIn.call('/api/admin/session', { method: 'POST' }));
    return signedIn;
  }

  /** The audit log keeps the email of who opened the queue board. */
  let operatorEmail: string;
  const readLeft = async (texts: string[], files: Buffer[]) =>
    (await traces(texts, files)).filter((trace) => trace !== `public.audit_log: ${operatorEmail}`);

  const traces = (texts: string[], files: Buffer[] = []) => {
    const { product, redisUrl, folders } = opened;
    const output = () =>
      [...outputs, ...[...product.apis, ...product.workers].map((program) => program.output)]
        .map((read) => read())
        .join('\n');
    return findTraces({ databaseUrl: product.databaseUrl, redisUrl, folders, output }, texts, files);
  };

  function expectDeletedLater(texts: string[], files: Buffer[] = []): void {
    deleted.texts.push(...texts);
    deleted.files.push(...files);
  }

  /** Waits until no trace of them is stored. */
  async function expectDeleted({ texts, files }: typeof deleted): Promise<void> {
    const { seconds, every } = SOON;
    const end = performance.now() + seconds * 1_000;
    let left = await readLeft(texts, files);
    while (left.length > 0 && performance.now() < end) {
      await pause(every);
      left = await readLeft(texts, files);
    }
    expect(left).toEqual([]);
  }

  /** Moves deletions two days into the past: a worker applies retention when it starts. */
  async function passTwoDays(): Promise<void> {
    const { product } = opened;
    await product.sql(`UPDATE creations SET deleted_at = deleted_at - interval '2 days'`);
    await product.sql(`UPDATE objects SET created_at = created_at - interval '2 days'`);
    await product.sql(`UPDATE pdf_documents SET used_at = used_at - interval '2 days'`);
    outputs.push(...product.workers.map((worker) => worker.output));
    await product.stopWorkers('SIGTERM');
    product.startWorker();
  }

  const ok = (answer: Answer) => {
    expect(answer).toMatchObject({ status: 200 });
    return answer.body;
  };
  const creationIdOf = (body: { [field: string]: unknown }) => body.creationId as string;
  const remove = async (id: string) => ok(await ada.call(`/api/user/creations/${id}`, { method: 'DELETE' }));

  it('deletes a creation from its job too, at once for readers, and can be undone', async () => {
    const prompt = marker('prompt');
    const key = marker('key');
    const answer = ok(await ada.write(prompt, { headers: { 'Idempotency-Key': key } }));
    const id = creationIdOf(answer);
    const text = answer.content.slice(0, 40);
    const [name, tag] = [marker('name'), marker('tag')];
    ok(await ada.call(`/api/user/creations/${id}`, { method: 'PATCH', json: { name } }));
    ok(await ada.call('/api/user/creations/tags', { json: { ids: [id], tag } }));
    const before = await ada.job(answer.jobId);
    expect(before).toMatchObject({ title: expect.stringContaining(prompt), result: { creationId: id } });
    for (const word of [prompt, name, tag]) expect(await traces([word])).not.toEqual([]);
    const listener = await ada.listen();

    await remove(id);
    const job = await ada.job(answer.jobId);
    expect(job).toMatchObject({ status: 'succeeded', result: null, resultDeleted: true, title: TITLE });
    expect(JSON.stringify(job)).not.toContain(prompt);
    expect(JSON.stringify(job)).not.toContain(text);
    const list = (await ada.call('/api/jobs')).body.jobs;
    expect(JSON.stringify(list)).not.toContain(prompt);
    expect(await ada.write(prompt, { headers: { 'Idempotency-Key': key } })).toMatchObject({
      status: 410,
      body: { success: false, code: 'RESULT_DELETED', message: expect.stringContaining('deleted') },
    });
    await until('open pages to receive the change', () =>
      listener.jobs.some(({ id: jobId, resultDeleted }) => jobId === answer.jobId && resultDeleted),
    );
    listener.close();

    ok(await ada.call(`/api/user/creations/${id}/restore`, { method: 'POST' }));
    const restored = await ada.job(answer.jobId);
    expect({ ...restored, revision: 0 }).toEqual({ ...before, revision: 0 });
    expect(restored.revision).toBeGreaterThan(before.revision);

    await remove(id);
    expect(await ada.job(answer.jobId)).toMatchObject({ result: null, resultDeleted: true, title: TITLE });
    expectDeletedLater([prompt, key, text, name, tag]);
  });

  it('deletes rewritten passages of a text with the text', async () => {
    const [kept, lost] = [marker('kept'), marker('lost')];
    const id = creationIdOf(ok(await ada.write(marker('prompt'))));
    const rewrite = (text: string) =>
      ada.call('/api/ai/rewrite-text', { json: { text, action: 'simpler', creation: id } });
    const made = ok(await rewrite(`It is a very ${kept} thing.`));
    expect(made).toMatchObject({ content: expect.stringContaining(kept), engine: 'openai' });
    expect(made.creationId).toBeUndefined();
    expect((await rewrite(`Another ${lost} [[400]]`)).status).toBe(502);
    expect(
      await ada.call('/api/ai/rewrite-text', {
        json: { text: 'A text.', action: 'fix', creation: randomUUID() },
      }),
    ).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });

    await remove(id);
    expect(await ada.job(made.jobId)).toMatchObject({ result: null, resultDeleted: true });
    expect((await rewrite('Late.')).status).toBe(404);
    ok(await ada.call(`/api/user/creations/${id}/restore`, { method: 'POST' }));
    expect(await ada.job(made.jobId)).toMatchObject({ result: { content: made.content } });
    await remove(id);
    expectDeletedLater([kept, lost]);
  });

  it('deletes the input of a flow with one of its creations', async () => {
    const [topic, sample] = [marker('topic'), marker('sample')];
    const { flow } = ok(
      await ada.call('/api/flows/article', {
        json: { prompt: topic, sample, steps: 'generate-blog-title,generate-article' },
      }),
    ) as unknown as { flow: Flow };
    const read = async () =>
      ((await ada.call(`/api/flows/${flow.id}`)).body as unknown as { flow: Flow }).flow;
    const ended = await until('the flow to end', async () => {
      const now = await read();
      return now.status === 'ended' && now;
    });
    for (const { creationId } of ended.steps) await remove(creationId!);
    expectDeletedLater([topic, sample]);
  });

  it('deletes the data of failed attempts at the same request', async () => {
    const prompt = marker('prompt');
    const failed = await ada.write(`${prompt} [[400:1]]`);
    expect(failed.status).toBe(502);
    const again = ok(await ada.call(`/api/jobs/${failed.body.details.jobId}/retry`, { method: 'POST' }));
    await remove(creationIdOf(again));
    expectDeletedLater([prompt]);
  });

  it('deletes cached answers of a model, uploads, and images', async () => {
    const job = marker('requirement');
    const image = await noisePng();
    const resume = await makePdf(resumePages);
    const uploaded = (bytes: Buffer, file: string) => ({ bytes, name: `${file}.pdf` });
    const fileName = marker('file');
    const score = ok(
      await ada.call('/api/ai/calculate-ats-score', {
        body: form({
          resume: uploaded(resume, fileName),
          jobDescription: `We look for Kubernetes, Go and ${job}. Experience with ${job} is required.`,
        }),
      }),
    );
    const drawn = ok(
      await ada.call('/api/ai/generate-image', { json: { prompt: marker('fox'), publish: true } }),
    );
    const picture = Buffer.from(await (await opened.product.get(drawn.content)).arrayBuffer());
    const cut = ok(
      await ada.call('/api/ai/remove-image-background', {
        body: form({ image: { bytes: image, name: `${fileName}.png` } }),
      }),
    );
    expect(await traces([job, fileName], [image, picture])).not.toEqual([]);
    for (const made of [score, drawn, cut]) await remove(creationIdOf(made));
    expect((await opened.product.get(drawn.content)).status).toBe(404);
    expectDeletedLater([job, fileName], [image, picture, resume]);
  });

  it('deletes a conversation with its questions, also those that failed or were cancelled', async () => {
    const word = marker('lamp');
    const fileName = marker('report');
    const pdf = await makePdf([
      `The range of the ${word} is twenty miles. ${'It shines every night. '.repeat(20)}`,
    ]);
    const send = (message: string, headers: Record<string, string> = {}) =>
      ada.call('/api/ai/chat-with-pdf', {
        body: form({ pdf: { bytes: pdf, name: `${fileName}.pdf` }, message, chatHistory: '[]' }),
        headers,
      });
    const [first, second, failing, stopped] = ['first', 'second', 'failing', 'stopped'].map(marker) as [
      string,
      string,
      string,
      string,
    ];
    const answer = ok(await send(`What is the range? ${first}`));
    const next = ok(await send(`Since when? ${second}`));
    expect(next.chatHistory).toHaveLength(4);
    // The conversation is stored once, with the document, and each job has its own answer alone.
    const stored = await opened.product.sql<{ text: string }>(
      `SELECT id || ': ' || jobs::text AS text FROM jobs WHERE tool = 'chat-with-pdf'`,
    );
    const ofFirst = stored.filter(({ text }) => text.includes(first)).map(({ text }) => text.split(':')[0]);
    expect(ofFirst).toEqual([answer.jobId]);
    expect((await ada.job(next.jobId)).result).toMatchObject({ chatHistory: next.chatHistory });

    expect((await send(`Why? ${failing} [[400]]`)).status).toBe(502);
    const running = (await send(`How? ${stopped} [[stop]]`, { Prefer: 'respond-async' })).body.job;
    await ada.writing(running.id);

    ok(await ada.call('/api/ai/pdf-chat-history', { method: 'DELETE' }));
    for (const id of [answer.jobId, next.jobId, running.id])
      expect((await ada.call(`/api/jobs/${id}`)).status).toBe(404);
    expectDeletedLater([word, fileName, first, second, failing, stopped], [pdf]);
  });

  it('deletes an account with everything', async () => {
    const name = marker('Name');
    const email = `${marker('mail')}@example.com`;
    operatorEmail = email;
    const bob = await signUp(name, email);
    const prompt = marker('prompt');
    const word = marker('harbour');
    const picture = await noisePng();
    const pdf = await makePdf([`The ${word} is deep. ${'Ships come every day. '.repeat(20)}`]);
    ok(
      await bob.call('/api/user/picture', {
        method: 'PUT',
        body: form({ picture: { bytes: picture, name: 'me.png' } }),
      }),
    );
    const text = ok(await bob.write(prompt)).content.slice(0, 40);
    const folder = marker('folder');
    ok(await bob.call('/api/user/searches', { json: { name: folder, filter: { search: folder } } }));
    ok(
      await bob.call('/api/ai/chat-with-pdf', {
        body: form({ pdf: { bytes: pdf, name: 'report.pdf' }, message: `How deep? ${prompt}` }),
      }),
    );
    const voice = marker('voice');
    ok(await bob.call('/api/user/voices', { json: { name: voice, manner: { sample: prompt } } }));
    ok(
      await bob.call('/api/flows/article', {
        json: { prompt: `${prompt} [[stop]]`, steps: 'generate-article,humanize-text' },
      }),
    );
    const running = await bob.start(`${prompt} [[stop]]`);
    await bob.writing(running.id);
    const signedIn = await addSecondFactors(bob, email);
    const tables = [
      'admin_sessions',
      'auth_passkeys',
      'auth_sessions',
      'auth_two_factors',
      'auth_verifications',
    ];
    expect(await traces([prompt, word, name, email, bob.id])).toEqual(
      expect.arrayContaining(tables.map((table) => `public.${table}: ${bob.id}`)),
    );
    expect(await traces([email])).toContain(`public.auth_verifications: ${email}`);

    ok(await signedIn.call('/api/user/account', { method: 'DELETE', json: { password: PASSWORD } }));
    expectDeletedLater([prompt, text, word, name, email, folder, voice], [picture, pdf]);
    deletedUser = bob.id;
  });

  it('leaves no copy of deleted data after retention', async () => {
    await passTwoDays();
    await expectDeleted(deleted);
    // Logs and the audit log name users by their ids, and Redis counts their calls for a minute.
    const mayName = (trace: string) => /^(log: |public\.audit_log: |redis pressroom:limit:)/.test(trace);
    await until('the id to be deleted', async () => (await traces([deletedUser])).every(mayName), SOON);
    // Ada's own account is still there.
    expect((await ada.call('/api/jobs')).body.jobs).not.toEqual([]);
  });
});
