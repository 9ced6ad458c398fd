import { connect, type Socket } from 'node:net';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { during, STRENGTH } from '../../test/support/attack.ts';
import {
  form,
  json,
  startInProcessProduct,
  type SignedInUser,
  useInProcessProduct,
} from '../../test/support/in-process-product.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';
import { until } from '../../test/support/until.ts';
import { MB, pdf } from '../../test/support/uploads.ts';

allowTimeForPrograms();

const UPLOADS = 40 * STRENGTH;

const product = useInProcessProduct({ UPLOAD_SPOOL_MB: '10', RATE_LIMIT_REQUESTS: '1000000' });
let mallory: SignedInUser;
let bob: SignedInUser;
const sockets: Socket[] = [];

beforeAll(async () => {
  [mallory, bob] = [await product.signUp('Mallory'), await product.signUp('Bob')];
});

/** Starts an upload and sends `sent` bytes of the file. @returns a function that reads the response so far */
function begin({ token }: SignedInUser, sent: number): { answer: () => string } {
  const socket = connect(product.config.port, '127.0.0.1');
  sockets.push(socket);
  let answer = '';
  socket.on('error', () => undefined);
  socket.on('data', (data) => (answer += String(data)));
  socket.write(
    [
      'POST /api/ai/probe-pdf HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${token}`,
      'Content-Type: multipart/form-data; boundary=x',
      `Content-Length: ${4.5 * MB}`,
      '',
      '--x\r\nContent-Disposition: form-data; name="resume"; filename="a.pdf"\r\n\r\n',
    ].join('\r\n'),
  );
  socket.write(pdf(sent));
  return { answer: () => answer };
}

const sendPdf = (client: SignedInUser, bytes?: number) =>
  client.call('/api/ai/probe-pdf', {
    body: form({ note: 'x', resume: { bytes: pdf(bytes), name: 'a.pdf' } }),
  });

async function end(): Promise<void> {
  for (const socket of sockets.splice(0)) socket.destroy();
  await until('the spool to be empty', () => product.spooled().length === 0);
}

it('reads the files of a user slowly after the first 24 MB', async () => {
  const user = await product.signUp();
  const started = performance.now();
  for (let sent = 0; sent < 40; sent += 4) expect((await sendPdf(user, 4 * MB)).status).toBe(200);
  // 16 MB above the burst take 2 seconds at 8 MB per second.
  expect(performance.now() - started).toBeGreaterThan(2_000);
});

describe('uploads that are held open', () => {
  it('are at most four per user, and do not limit other users', async () => {
    const uploads = Array.from({ length: UPLOADS }, () => begin(mallory, 1_000));
    await until(
      'all others to be refused',
      () => uploads.filter((one) => one.answer() !== '').length === UPLOADS - 4,
    );
    for (const answer of uploads.map((one) => one.answer()).filter(Boolean)) {
      expect(answer).toMatch(/^HTTP\/1.1 429 /);
      expect(answer).toMatch(/retry-after: \d/i);
      expect(answer).toContain('RATE_LIMITED');
    }
    await until('the files of the others', () => product.spooled().length === 4);
    expect((await sendPdf(bob)).status).toBe(200);
    await end();
    expect((await sendPdf(mallory)).status).toBe(200);
  });

  it('of many users never exceed the limit of the spool', async () => {
    const users = await Promise.all(Array.from({ length: 2 * STRENGTH }, () => product.signUp()));
    const uploads = users.flatMap((user) => [1, 2, 3, 4].map(() => begin(user, 4 * MB)));
    await until('some to be refused', () => uploads.some((one) => one.answer() !== ''));
    for (const answer of uploads.map((one) => one.answer()).filter(Boolean)) {
      expect(answer).toMatch(/^HTTP\/1.1 503 /);
      expect(answer).toMatch(/retry-after: \d/i);
    }
    const impact = await during(
      until('the rest to be there', () => product.spooled().length <= 3),
      () => bob.call('/api/user/account'),
    );
    expect(impact.statuses.every((status) => status === 200)).toBe(true);
    await end();
    expect((await json(await sendPdf(bob))).success).toBe(true);
  });
});

describe('public files', () => {
  it('do not count towards the rate limit of an address', async () => {
    const shop = await startInProcessProduct({ RATE_LIMIT_REQUESTS: '30' });
    try {
      const statuses = await Promise.all(
        Array.from({ length: 100 }, async (_, i) => (await fetch(`${shop.origin}/c/${i}/image`)).status),
      );
      expect(new Set(statuses)).toEqual(new Set([404]));
      expect((await fetch(`${shop.origin}/api/config`)).status).toBe(200);
    } finally {
      await shop.stop();
    }
  });
});
