import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { form, json, type SignedInUser, useInProcessProduct } from '../../test/support/in-process-product.ts';
import { closeGate, gate } from '../../test/support/probe-tools.ts';
import { discOnBlue } from '../../test/support/image-files.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';
import { until } from '../../test/support/until.ts';
import { MB, pdf } from '../../test/support/uploads.ts';

allowTimeForPrograms();

describe('the storage of a free account', () => {
  const product = useInProcessProduct({ STORAGE_QUOTA_FREE_MB: '5' });
  let ada: SignedInUser;
  beforeAll(async () => {
    ada = await product.signUp();
  });

  const account = async () => json(await ada.call('/api/user/account'));
  const storedBytes = async () => {
    const [row] = await product.sql(`SELECT coalesce(sum(bytes), 0)::integer AS count FROM objects`);
    return row!.count;
  };
  const send = (headers: Record<string, string> = {}) =>
    ada.call('/api/ai/probe-pdf', {
      body: form({ note: 'hello', resume: { bytes: pdf(MB), name: 'cv.pdf' } }),
      headers: { Prefer: 'respond-async', ...headers },
    });

  it('is shown with the plan', async () => {
    expect((await account()).storage).toEqual({ used: 0, limit: 5 * MB });
  });

  it('is not exceeded by the uploads of cancelled jobs, and a refused job is neither charged nor stored', async () => {
    closeGate();
    let accepted = 0;
    for (let round = 0; round < 10; round += 1) {
      const answers = await Promise.all([send(), send(), send(), send()]);
      for (const answer of answers) {
        const body = await json(answer);
        if (answer.status === 202) {
          accepted += 1;
          await ada.call(`/api/jobs/${body.job.id}`, { method: 'DELETE' });
        } else {
          expect([answer.status, body.code]).toEqual([409, 'STORAGE_FULL']);
          expect(body.message).toContain('Delete creations or PDF chats');
        }
      }
      expect(await storedBytes()).toBeLessThanOrEqual(5 * MB);
    }
    gate.open();
    expect(accepted).toBe(4);
    expect(product.stored()).toHaveLength(4);
    expect(product.spooled()).toEqual([]);
    const { credits, storage } = await account();
    expect(credits.remaining).toBe(30);
    expect(storage.used).toBeGreaterThan(4 * MB);
    expect(storage.used).toBeLessThan(4.25 * MB);
  });

  it('refuses an upload without room before reading its body', async () => {
    const spooledBefore = product.spooled().length;
    const { hostname, port } = new URL(product.origin);
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST /api/ai/probe-pdf HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${ada.token}\r\n` +
        `Content-Type: multipart/form-data; boundary=x\r\nContent-Length: ${2 * MB}\r\n\r\n`,
    );
    let answer = '';
    socket.on('data', (data) => (answer += String(data)));
    await until('the answer', () => answer.endsWith('}'));
    socket.destroy();
    expect(answer).toMatch(/^HTTP\/1\.1 409 [^]*"code":"STORAGE_FULL"/);
    expect(product.spooled()).toHaveLength(spooledBefore);
  });

  it('accepts a repeated request with a job, although there is no room', async () => {
    const bob = await product.signUp();
    const submit = () =>
      bob.call('/api/ai/probe-pdf', {
        body: form({ note: 'hello', resume: { bytes: pdf(3 * MB), name: 'cv.pdf' } }),
        headers: { Prefer: 'respond-async', 'Idempotency-Key': 'once more' },
      });
    closeGate();
    const [first, second] = [await submit(), await submit()];
    gate.open();
    expect([first.status, second.status]).toEqual([202, 202]);
    expect((await json(second)).job.id).toBe((await json(first)).job.id);
  });

  it('stores a picture and texts while there is room for them', async () => {
    const picture = await ada.call('/api/user/picture', {
      method: 'PUT',
      body: form({ picture: { bytes: await discOnBlue(64, 64).png().toBuffer(), name: 'me.png' } }),
    });
    expect(picture.status).toBe(200);
    const title = await ada.call('/api/ai/generate-blog-title', { json: { prompt: 'Rivers' } });
    expect(title.status).toBe(200);
  });
});
