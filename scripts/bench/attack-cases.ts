import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { decodeJwt } from 'jose';
import type { QueueName } from '../../libs/contract/jobs.ts';
import { listen } from '../../test/platform/listener.ts';
import { interlacedPng } from '../../test/support/hostile-images.ts';
import { hostileTexts } from '../../test/support/hostile-texts.ts';
import { makePdf } from '../../test/support/pdf.ts';
import { pdfBomb, pdfFontBomb } from '../../test/support/pdf-damage.ts';
import { Browser, guessCodes, setUpApp, signIn, signUp, type Product } from '../stack/code-guesser.ts';
import { query } from '../stack/query.ts';
import { inParallel } from './product.ts';
import { signUpUsers } from './users.ts';
import {
  askWithoutReading,
  atOnce,
  call,
  CLOSED,
  form,
  fourAtOnce,
  holdUpload,
  json,
  repeat,
  send,
  withoutWaiting,
} from './attack-requests.ts';

/** The product, and the token of the attacker. */
export interface Target {
  address: string;
  databaseUrl: string;
  token: string;
  /** All that the api has logged. */
  readLog: () => string;
}

/** What an attack may cause at most. */
interface AllowedEffect {
  /** Seconds of the slowest job of another user. */
  slowest?: number;
  /** Additional memory of the api in MB. */
  apiMegabytes?: number;
  /** Memory of the worker, as a share of its limit. */
  workerShare?: number;
}

/** What another user sends: a POST request with the token and this body, or without a body a GET request without the token. */
export interface OtherRequest {
  name: string;
  path: string;
  body?: object;
}

export interface Attack {
  /** Attacks of one kind have one number. */
  number: number;
  name: string;
  allowed?: AllowedEffect;
  plan?: 'premium';
  /** Of the api. */
  variables?: NodeJS.ProcessEnv;
  /** Runs the worker of this queue only, and measures memory only. Default: the worker for all queues. */
  worker?: QueueName;
  /** Requests of another user, one after the other. Default: titles. */
  others?: OtherRequest[];
  /** Stores data that the attack needs, such as creations. */
  prepare?: (target: Target) => Promise<unknown>;
  /** @returns the HTTP status of each request of the attacker */
  run: (target: Target) => Promise<number[]>;
  /** Sends the same bytes at the same rate to a server that discards them, as a baseline. */
  sendAlike?: (sink: Target, seconds: number) => Promise<unknown>;
  /** @returns what is wrong after the attack */
  check?: (target: Target, statuses: number[]) => Promise<string | null>;
}

/** The minimum duration of an attack. */
const SECONDS = 15;
/** The maximum duration of an attack whose jobs have not ended. */
const MAX_SECONDS = 90;
const MB = 1024 * 1024;
/** Just below 5 MB, the limit for a resume. */
const FILE_BYTES = 4.9 * MB;
const UPLOADS = Math.ceil((400 * MB) / FILE_BYTES);
/** Jobs that one account may submit in a minute, less two. */
const FLOOD = 118;

/** Markdown of up to 1,000 words that is slow to parse. */
const slowTexts = [
  hostileTexts['addresses that end with brackets'],
  hostileTexts['low quotation marks'],
  hostileTexts['mixed emphasis'],
  hostileTexts['a wide table'],
  hostileTexts['block quotes by lines'],
  hostileTexts.backticks,
].map((text) => `These are words. ${text}`.slice(0, 20_000));
const plainText = 'The committee met on Tuesday and it was decided that the plan is good. '.repeat(70);
const humanize = (text: string) => json({ text });

export const title: OtherRequest = {
  name: 'titles',
  path: '/api/ai/generate-blog-title',
  body: { prompt: 'Bread' },
};
/** A text is read on the same threads as the attacker's texts. */
const shortText: OtherRequest = {
  name: 'texts',
  path: '/api/ai/humanize-text',
  body: { text: 'The plan was made by the team.' },
};

const honest = { email: 'honest@example.com', password: 'a long enough password' };

export const attacks: Attack[] = [
  {
    number: 1,
    name: '16 texts of 20,000 characters to humanize',
    run: (target) =>
      atOnce(16, (i) => call(target, '/api/ai/humanize-text', humanize(slowTexts[i % slowTexts.length]!))),
  },
  {
    number: 2,
    name: '8 profile pictures of 49 megapixels, repeatedly',
    run: async (target) => {
      const picture = interlacedPng(7_000);
      return repeat(SECONDS, () =>
        atOnce(8, () =>
          call(target, '/api/user/picture', { method: 'PUT', body: form({ picture: ['me.png', picture] }) }),
        ),
      );
    },
  },
  {
    number: 3,
    name: 'uploads of 400 MB, each job cancelled at once',
    run: async (target) => {
      const file = await largePdf();
      return fourAtOnce(UPLOADS, async () => {
        const answer = await send(
          target,
          '/api/ai/resume-review',
          withoutWaiting({ method: 'POST', body: form({ resume: ['a.pdf', file] }) }),
        ).catch(() => null);
        if (answer === null) return CLOSED;
        const { job } = (await answer.json()) as { job?: { id: string } };
        if (job) await call(target, `/api/jobs/${job.id}`, { method: 'DELETE' });
        return answer.status;
      });
    },
    sendAlike: async (sink, seconds) => {
      const file = await largePdf();
      const startedAt = performance.now();
      return fourAtOnce(UPLOADS, async (i) => {
        await pause(Math.max(startedAt + (i / UPLOADS) * seconds * 1_000 - performance.now(), 0));
        return call(sink, '/', { method: 'POST', body: form({ resume: ['a.pdf', file] }) });
      });
    },
  },
  {
    number: 4,
    name: '40 concurrent searches for 64 words in 2,000 long texts',
    prepare: fillCreations,
    run: (target) => {
      const words = Array.from({ length: 64 }, (_, i) => `word${i}`)
        .join(' ')
        .slice(0, 200);
      return repeat(SECONDS, () =>
        atOnce(40, () => call(target, `/api/user/get-user-creations?search=${encodeURIComponent(words)}`)),
      );
    },
  },
  { number: 5, name: '48 PDF files that use up their time limit', run: sendPdfBombs },
  {
    number: 6,
    name: '80 uploads held open and 100 sockets',
    run: async (target) => {
      const uploads = Array.from({ length: 80 }, () => holdUpload(target));
      const sockets = await Promise.allSettled(
        Array.from({ length: 100 }, () => listen(target.address, target.token)),
      );
      await pause(SECONDS * 1_000);
      for (const socket of uploads) socket.destroy();
      for (const socket of sockets) if (socket.status === 'fulfilled') socket.value.close();
      return sockets.map(({ status }) => (status === 'fulfilled' ? 200 : 429));
    },
  },
  ...[150, 590].map((count) => ({
    number: 9,
    name: `${count} answers with the versions of a long text and with one of them, never read`,
    allowed: { apiMegabytes: 150 },
    prepare: fillVersions,
    run: async (target: Target) => {
      const { rows } = await query(
        target.databaseUrl,
        `SELECT creation_id, creation_versions.id FROM creation_versions JOIN creations ON creations.id = creation_id
         WHERE user_id = '${userOf(target)}' LIMIT 1`,
      );
      const { creation_id: creation, id } = rows[0] as { creation_id: string; id: string };
      const list = `/api/user/creations/${creation}/versions`;
      const sockets = Array.from({ length: count }, (_, i) =>
        askWithoutReading(target, i % 2 === 0 ? list : `${list}/${id}`),
      );
      await pause(SECONDS * 1_000);
      for (const socket of sockets) socket.destroy();
      return [];
    },
  })),
  ...[100, 900].map((count) => ({
    number: 10,
    name: `${count} connections of a stranger for pages, scripts and readiness`,
    allowed: { slowest: 0.3 },
    run: async ({ address }: Target) => {
      const start = await (await fetch(address, { headers: { accept: 'text/html' } })).text();
      const script = /\/assets\/[\w-]+\.js/.exec(start)![0];
      const paths = ['/', '/ai', '/ai/some-page', script, '/health/ready'];
      return repeat(SECONDS, () =>
        atOnce(count, (i) =>
          call({ address }, paths[i % paths.length]!, { headers: { accept: 'text/html' } }),
        ),
      );
    },
  })),
  {
    number: 11,
    name: '590 reads of one account at once',
    allowed: { slowest: 0.3 },
    prepare: fillCreations,
    run: (target) => repeat(SECONDS, () => atOnce(590, () => call(target, READ))),
  },
  {
    number: 11,
    name: '30 reads a second of three accounts',
    allowed: { slowest: 0.3 },
    prepare: fillCreations,
    run: async (target) => {
      const others = await signUpUsers(target.address, 2);
      for (const token of others) await fillCreations({ ...target, token });
      const tokens = [target.token, ...others];
      return repeat(SECONDS, () => atOnce(30, (i) => call({ ...target, token: tokens[i % 3]! }, READ)));
    },
  },
  {
    number: 12,
    name: '800 sign-ins at once for unknown addresses from 40 addresses, 20 each',
    allowed: { slowest: 1 },
    others: [
      title,
      { name: 'pages', path: '/' },
      { name: 'health', path: '/health/live' },
      { name: 'sign-ins', path: '/api/auth/sign-in/email', body: honest },
    ],
    prepare: ({ address }) =>
      call({ address }, '/api/auth/sign-up/email', json({ ...honest, name: 'Honest' })),
    run: ({ address }) =>
      atOnce(40 * 20, (i) =>
        call({ address }, '/api/auth/sign-in/email', {
          ...json({ email: `nobody-${i}@example.com`, password: 'a wrong password' }),
          headers: {
            'content-type': 'application/json',
            origin: address,
            'x-forwarded-for': `198.51.100.${i % 40}`,
          },
        }),
      ),
  },
  {
    number: 13,
    name: `${FLOOD} hostile texts of a premium account`,
    allowed: { slowest: 3 },
    plan: 'premium',
    others: [title, shortText],
    run: (target) => sendTexts(target, slowTexts),
  },
  {
    number: 13,
    name: `${FLOOD} plain texts of a premium account`,
    allowed: { slowest: 3 },
    plan: 'premium',
    others: [title, shortText],
    run: (target) => sendTexts(target, [plainText]),
  },
  {
    number: 14,
    name: '120 batches of 200 pictures with long names, each cancelled',
    plan: 'premium',
    run: (target) => fourAtOnce(120, (i) => makeBatch(target, i)),
    check: checkBatches,
  },
  guessedCodes(),
  ...[undefined, 'pdf' as const].map((worker): Attack => ({
    number: 16,
    name: `48 PDF bombs, ${worker ?? 'one'} worker`,
    allowed: { workerShare: 0.7 },
    plan: 'premium',
    worker,
    run: sendPdfBombs,
  })),
  ...[undefined, 'text' as const].map((worker): Attack => ({
    number: 16,
    name: `${FLOOD} hostile texts, ${worker ?? 'one'} worker`,
    allowed: { workerShare: 0.7 },
    plan: 'premium',
    worker,
    run: (target) => sendTexts(target, slowTexts),
  })),
  {
    number: 16,
    name: '24 pictures of 49 megapixels, image worker',
    allowed: { workerShare: 0.7 },
    plan: 'premium',
    worker: 'image',
    run: sendPictures,
  },
  {
    number: 16,
    name: '24 pictures of 49 megapixels, PDF bombs and hostile texts together, one worker',
    allowed: { slowest: 3, workerShare: 0.7 },
    plan: 'premium',
    run: async (target) => {
      const sent = await Promise.all([
        sendPictures(target),
        sendPdfBombs(target),
        sendTexts(target, slowTexts),
      ]);
      return sent.flat();
    },
  },
  {
    number: 17,
    name: '300 refused requests a second of a stranger',
    variables: { LOG_LEVEL: 'info' },
    allowed: { slowest: 0.3 },
    run: ({ address }) =>
      repeat(SECONDS, () =>
        atOnce(300, (i) =>
          call({ address }, REFUSED[i % REFUSED.length]!, { headers: { 'x-forwarded-for': '198.51.100.1' } }),
        ),
      ),
    check: async ({ readLog }) => {
      const lines = readLog()
        .split('\n')
        .filter((line) => / (401|404|429)"/.test(line)).length;
      return lines > MAX_REFUSAL_LINES ? `${lines} lines about refusals` : null;
    },
  },
  recoveryCodeAtOnce(),
];

/** Refused by the check of tokens, and because they do not exist. */
const REFUSED = ['/api/jobs', '/api/user/account', '/api/nothing', '/nothing.js'];
/** 20 a minute for each of two minutes, and their summaries. */
const MAX_REFUSAL_LINES = 50;

const productOf = ({ address }: Pick<Target, 'address'>): Product => ({
  origins: [address],
  publicUrl: address,
});

/** A stranger who has the password guesses codes; the owner signs in with a recovery code. */
function guessedCodes(): Attack {
  let problems: string[] = [];
  return {
    number: 15,
    name: '12 wrong codes of an authenticator app by who has the password',
    run: async (target) => {
      problems = await guessCodes(productOf(target), `guessed-${Date.now()}`, 0);
      return [];
    },
    check: async () => problems[0] ?? null,
  };
}

function recoveryCodeAtOnce(): Attack {
  let codes: (string | undefined)[] = [];
  return {
    number: 18,
    name: 'one recovery code six times at once',
    run: async (target) => {
      const product = productOf(target);
      const owner = (await signUp(product, `recovers-${Date.now()}`, 0))!;
      const [code] = (await setUpApp(owner.browser, 0))!;
      const browsers = Array.from({ length: 6 }, () => new Browser(product));
      for (const browser of browsers) await signIn(browser, owner.email, 0);
      const answers = await Promise.all(
        browsers.map((browser) => browser.call('/two-factor/verify-backup-code', { code }, 0)),
      );
      codes = answers.map(({ body }) => body.code);
      return answers.map(({ status }) => status ?? CLOSED);
    },
    check: async (_, statuses) => {
      if (statuses.filter((status) => status === 200).length !== 1) return 'not exactly one was accepted';
      return codes.includes('INTERNAL') ? 'a refusal has the code INTERNAL' : null;
    },
  };
}

const READ = '/api/user/get-user-creations?limit=20';

export const userOf = ({ token }: Pick<Target, 'token'>) => decodeJwt(token).sub!;

const largePdf = async () => Buffer.concat([await makePdf(['A page.']), randomBytes(FILE_BYTES)]);

function sendPdfBombs(target: Target): Promise<number[]> {
  const files = [pdfBomb(60), pdfFontBomb(400), pdfBomb(20)];
  return sendForms(target, 'resume-review', 48, (i) => ({ resume: ['cv.pdf', files[i % files.length]!] }));
}

function sendPictures(target: Target): Promise<number[]> {
  const picture = interlacedPng(7_000, 16);
  return sendForms(target, 'remove-image-background', 24, () => ({ image: ['photo.png', picture] }));
}

async function sendForms(
  target: Target,
  tool: string,
  count: number,
  filesOf: (index: number) => Parameters<typeof form>[0],
): Promise<number[]> {
  const statuses = await fourAtOnce(count, (i) =>
    call(target, `/api/ai/${tool}`, withoutWaiting({ method: 'POST', body: form(filesOf(i)) })),
  );
  await endJobs(target);
  return statuses;
}

async function sendTexts(target: Target, texts: string[]): Promise<number[]> {
  const statuses = await atOnce(FLOOD, (i) =>
    call(target, '/api/ai/humanize-text', withoutWaiting(humanize(texts[i % texts.length]!))),
  );
  await endJobs(target);
  return statuses;
}

/** Waits until the attacker's jobs have ended, and cancels those that last too long. */
export async function endJobs(target: Target): Promise<void> {
  const sql = `SELECT id FROM jobs WHERE user_id = '${userOf(target)}' AND finished_at IS NULL`;
  const readUnfinished = async () => (await query(target.databaseUrl, sql)).rows as { id: string }[];
  const end = performance.now() + MAX_SECONDS * 1_000;
  let unfinished = await readUnfinished();
  for (; unfinished.length > 0; unfinished = await readUnfinished()) {
    if (performance.now() > end)
      await inParallel(unfinished.length, 8, (i) =>
        call(target, `/api/jobs/${unfinished[i]!.id}`, { method: 'DELETE' }),
      );
    await pause(500);
  }
}

async function makeBatch(target: Target, index: number): Promise<number> {
  const items = Array.from({ length: 200 }, (_, n) => ({
    id: `${index}-${n}-${'i'.repeat(80)}`,
    name: `${n}${'n'.repeat(240)}.png`,
    size: 1_000,
  }));
  const answer = await send(
    target,
    '/api/batches',
    json({ tool: 'remove-image-background', input: {}, items }),
  );
  const { batch } = (await answer.json()) as { batch?: { id: string } };
  if (batch) await call(target, `/api/batches/${batch.id}`, { method: 'DELETE' });
  return answer.status;
}

/** Batches are limited in number, and their rows count as storage. */
async function checkBatches(target: Target, statuses: number[]): Promise<string | null> {
  const accepted = statuses.filter((status) => status === 200).length;
  const { rows } = await query(
    target.databaseUrl,
    `SELECT inputs::integer AS counted FROM storage_use('${userOf(target)}')`,
  );
  const { counted } = rows[0] as { counted: number };
  if (accepted > 20) return `${accepted} batches in a minute`;
  return counted < accepted * 200 * 250 ? `${counted} bytes count as storage` : null;
}

/** Stores creations with long texts for the attacker. */
async function fillCreations({ databaseUrl, token }: Target): Promise<void> {
  await query(
    databaseUrl,
    `INSERT INTO creations (id, user_id, tool, type, prompt, content, engine)
     SELECT gen_random_uuid(), '${userOf({ token })}', 'generate-article', 'article', 'Text ' || n,
       n || ' ' || (SELECT string_agg('word' || i % 64, ' ') FROM generate_series(1, 10000) AS i), 'offline'
     FROM generate_series(1, 2000) AS n`,
  );
}

/** Stores a creation whose versions take 7 MB in an answer. */
async function fillVersions({ databaseUrl, token }: Target): Promise<void> {
  await query(
    databaseUrl,
    `WITH text AS (SELECT left(repeat('A sentence. ', 30000), 340000) AS content), made AS (
       INSERT INTO creations (id, user_id, tool, type, prompt, content, engine, content_revision)
       SELECT gen_random_uuid(), '${userOf({ token })}', 'generate-article', 'article', 'A text', content, 'offline', 21
       FROM text RETURNING id, content)
     INSERT INTO creation_versions (id, creation_id, number, label, is_current, is_cut_out, content)
     SELECT gen_random_uuid(), made.id, n, 'Version ' || n, n = 21, false, content
     FROM made, generate_series(1, 21) AS n`,
  );
}
