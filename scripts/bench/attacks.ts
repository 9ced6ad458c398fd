import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { decodeJwt } from 'jose';
import { listen } from '../../test/platform/listener.ts';
import { interlacedPng } from '../../test/support/hostile-images.ts';
import { hostileTexts } from '../../test/support/hostile-texts.ts';
import { makePdf } from '../../test/support/pdf.ts';
import { pdfBomb, pdfFontBomb } from '../../test/support/pdf-damage.ts';
import { startApi, startProcess, startWorker, type TestProcess } from '../../test/support/process.ts';
import { until } from '../../test/support/until.ts';
import { freePort } from '../stack/ports.ts';
import { query } from '../stack/query.ts';
import { readLoad } from '../stack/program-load.ts';
import { median } from '../stack/statistics.ts';
import { print } from '../stack/terminal.ts';
import { inParallel } from './product.ts';
import { signUpUsers, unlimited } from './users.ts';

/** Multiple of the load that stopped an earlier version. Each attack comes from one account on the free plan. */
const STRENGTH = 2;
/** Jobs that another user runs before each attack, and the minimum during the attack. */
const JOBS = 20;
/** The minimum duration of an attack. */
const SECONDS = 15;
const MB = 1024 * 1024;
/** Stands for the HTTP status if the connection closed without an answer. */
const CLOSED = 0;
/** Just below 5 MB, the limit for a resume. */
const FILE_BYTES = 4.9 * MB;
const UPLOADS = Math.ceil((200 * STRENGTH * MB) / FILE_BYTES);

/** Markdown that is slow to parse. */
const slowTexts = [
  hostileTexts['addresses that end with brackets'],
  hostileTexts['nested footnotes'],
  hostileTexts.references,
  hostileTexts['mixed emphasis'],
  hostileTexts['a wide table'],
  hostileTexts['quotes in lists'],
  hostileTexts['half links'],
  hostileTexts['block quotes by lines'],
];

interface World {
  address: string;
  databaseUrl: string;
  /** The attacker's bearer token. */
  token: string;
}

interface Attack {
  name: string;
  /** Stores data that the attack needs, such as creations. */
  prepare?: (world: World) => Promise<unknown>;
  /** @returns the HTTP status of each request of the attacker */
  run: (world: World) => Promise<number[]>;
  /** Sends the same bytes at the same rate to a server that discards them, as a baseline. */
  sendAlike?: (sink: World, seconds: number) => Promise<unknown>;
}

const attacks: Attack[] = [
  {
    name: `${8 * STRENGTH} texts of 20,000 characters to humanize`,
    run: (world) =>
      atOnce(8 * STRENGTH, (i) =>
        call(
          world,
          '/api/ai/humanize-text',
          json({ text: `These are words. ${slowTexts[i % slowTexts.length]}`.slice(0, 20_000) }),
        ),
      ),
  },
  {
    name: `${4 * STRENGTH} profile pictures of 49 megapixels, repeatedly`,
    run: async (world) => {
      const picture = interlacedPng(7_000);
      return repeat(() =>
        atOnce(4 * STRENGTH, () =>
          call(world, '/api/user/picture', { method: 'PUT', body: form({ picture: ['me.png', picture] }) }),
        ),
      );
    },
  },
  {
    name: `uploads of ${200 * STRENGTH} MB, each job cancelled at once`,
    run: async (world) => {
      const file = await largePdf();
      return fourAtOnce(UPLOADS, async () => {
        const answer = await send(world, '/api/ai/resume-review', {
          method: 'POST',
          headers: { prefer: 'respond-async' },
          body: form({ resume: ['a.pdf', file] }),
        }).catch(() => null);
        // A server that rejects an unfinished upload closes the connection, so the client may not receive the answer.
        if (answer === null) return CLOSED;
        const { job } = (await answer.json()) as { job?: { id: string } };
        if (job) await call(world, `/api/jobs/${job.id}`, { method: 'DELETE' });
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
    name: `${20 * STRENGTH} concurrent searches for 64 words in ${1_000 * STRENGTH} long texts`,
    prepare: fillCreations,
    run: (world) => {
      const words = Array.from({ length: 64 }, (_, i) => `word${i}`)
        .join(' ')
        .slice(0, 200);
      return repeat(() =>
        atOnce(20 * STRENGTH, () =>
          call(world, `/api/user/get-user-creations?search=${encodeURIComponent(words)}`),
        ),
      );
    },
  },
  {
    name: `${24 * STRENGTH} PDF files that use up their time limit`,
    run: async (world) => {
      const files = [pdfBomb(60), pdfFontBomb(400), pdfBomb(20)];
      const statuses = await fourAtOnce(24 * STRENGTH, (i) =>
        call(world, '/api/ai/resume-review', {
          method: 'POST',
          headers: { prefer: 'respond-async' },
          body: form({ resume: ['cv.pdf', files[i % files.length]!] }),
        }),
      );
      await untilIdle(world);
      return statuses;
    },
  },
  {
    name: `${40 * STRENGTH} uploads held open and ${50 * STRENGTH} sockets`,
    run: async (world) => {
      const uploads = Array.from({ length: 40 * STRENGTH }, () => holdUpload(world));
      const sockets = await Promise.allSettled(
        Array.from({ length: 50 * STRENGTH }, () => listen(world.address, world.token)),
      );
      await pause(SECONDS * 1_000);
      for (const socket of uploads) socket.destroy();
      for (const socket of sockets) if (socket.status === 'fulfilled') socket.value.close();
      return sockets.map(({ status }) => (status === 'fulfilled' ? 200 : 429));
    },
  },
  {
    name: `${450 * STRENGTH} connections of a stranger for pages and scripts`,
    run: async ({ address }) => {
      const start = await (await fetch(address, { headers: { accept: 'text/html' } })).text();
      const script = /\/assets\/[\w-]+\.js/.exec(start)![0];
      const paths = ['/', '/ai', '/ai/some-page', script, '/health/ready'];
      return repeat(() =>
        atOnce(450 * STRENGTH, (i) =>
          call({ address }, paths[i % paths.length]!, { headers: { accept: 'text/html' } }),
        ),
      );
    },
  },
  {
    name: `${295 * STRENGTH} reads of one account at once`,
    prepare: fillCreations,
    run: (world) =>
      repeat(() => atOnce(295 * STRENGTH, () => call(world, '/api/user/get-user-creations?limit=20'))),
  },
  {
    name: `${150 * STRENGTH} answers that are never read`,
    prepare: fillCreations,
    run: async (world) => {
      const sockets = Array.from({ length: 150 * STRENGTH }, () =>
        askWithoutReading(world, '/api/user/get-user-creations?limit=500'),
      );
      await pause(SECONDS * 1_000);
      for (const socket of sockets) socket.destroy();
      return [];
    },
  },
  {
    name: `sign-ins for unknown addresses from ${40 * STRENGTH} networks, 20 each`,
    run: ({ address }) =>
      repeat(() =>
        atOnce((40 * STRENGTH * 20) / SECONDS, (i) =>
          call({ address }, '/api/auth/sign-in/email', {
            ...json({ email: `nobody-${i}@example.com`, password: 'a wrong password' }),
            headers: {
              'content-type': 'application/json',
              origin: address,
              'x-forwarded-for': `198.51.100.${i % (40 * STRENGTH)}`,
            },
          }),
        ),
      ),
  },
];

/** Measures another user's jobs during each attack, compared with the same jobs without an attack. */
export async function benchAttacks(databaseUrl: string): Promise<void> {
  const variables = {
    LOG_LEVEL: 'fatal',
    AUTH_SECRET: unlimited.AUTH_SECRET,
    RATE_LIMIT_SIGN_UP: '1000',
    DATABASE_URL: databaseUrl,
    SYNC_WAIT_SECONDS: '120',
    // Attacks from many addresses state them in a header.
    TRUSTED_PROXIES: 'loopback',
  };
  const ports = { api: await freePort(), worker: await freePort() };
  const api = await startApi({
    ...variables,
    PORT: String(await freePort()),
    METRICS_PORT: String(ports.api),
  });
  const programs: TestProcess[] = [api];
  try {
    const worker = startWorker({ ...variables, METRICS_PORT: String(ports.worker) });
    programs.push(worker);
    const exits: string[] = [];
    for (const program of programs)
      void program.ended.then(() => exits.push(program === api ? 'api' : 'worker'));

    print(`Attacks by one free account, ${STRENGTH} times as strong; seconds of another user's title jobs:`);
    print(
      `  ${'attack'.padEnd(58)}alone median/slowest   attack median/slowest   ratio   event loop p99 api/worker   memory api/worker   answers`,
    );
    await measure(api.address, async () => {});
    for (const { name, prepare, run, sendAlike } of attacks) {
      const [token] = await signUpUsers(api.address, 1);
      const world = { address: api.address, databaseUrl, token: token! };
      await prepare?.(world);
      const alone = await measure(api.address, async () => {});
      const before = { api: await readLoad(ports.api), worker: await readLoad(ports.worker) };
      let statuses: number[] = [];
      let seconds = 0;
      const most = { api: { ...before.api, delayP99: 0 }, worker: { ...before.worker, delayP99: 0 } };
      const attacked = await measure(
        api.address,
        async () => {
          const startedAt = performance.now();
          statuses = await run(world);
          seconds = (performance.now() - startedAt) / 1_000;
        },
        async () => {
          for (const program of ['api', 'worker'] as const) {
            const { delayP99, megabytes } = await readLoad(ports[program]);
            most[program] = {
              delayP99: Math.max(most[program].delayP99, delayP99),
              megabytes: Math.max(most[program].megabytes, megabytes),
            };
          }
        },
      );
      const pairOf = (value: (program: 'api' | 'worker') => number, unit: string) =>
        `${Math.round(value('api'))} / ${Math.round(value('worker'))} ${unit}`;
      print(
        formatRow(name, alone, attacked) +
          `${pairOf((program) => most[program].delayP99, 'ms').padStart(28)}` +
          `${pairOf((program) => most[program].megabytes - before[program].megabytes, 'MB').padStart(20)}   ${countOf(statuses)}`,
      );
      if (exits.length > 0) throw new Error(`Ended by the attack: ${exits.join(', ')}`);
      await untilIdle(world);
      if (sendAlike) await compare(world, alone, (sink) => sendAlike(sink, seconds));
    }
  } finally {
    await Promise.all(programs.map((program) => program.kill('SIGKILL')));
  }
}

/** Measures how much of the slowdown is the machine's: sends the attack's bytes to a server that discards them. */
async function compare(
  world: World,
  alone: number[],
  send: (sink: World) => Promise<unknown>,
): Promise<void> {
  const port = await freePort();
  const sink = startProcess('scripts/bench/sink.ts', { PORT: String(port) });
  try {
    const address = `http://127.0.0.1:${port}`;
    await until('the server that only reads', () =>
      fetch(address).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    const attacked = await measure(world.address, async () => void (await send({ ...world, address })));
    print(formatRow('  the same bytes to a server that only reads them', alone, attacked));
  } finally {
    await sink.kill('SIGKILL');
  }
}

const largePdf = async () => Buffer.concat([await makePdf(['A page.']), randomBytes(FILE_BYTES)]);

function formatRow(name: string, alone: number[], attacked: number[]): string {
  const pair = (values: number[]) => `${median(values).toFixed(2)} / ${Math.max(...values).toFixed(2)}`;
  const ratio = median(attacked) / median(alone);
  return `  ${name.padEnd(58)}${pair(alone).padStart(20)}${pair(attacked).padStart(24)}${ratio.toFixed(1).padStart(8)}`;
}

/** Runs another user's jobs one after the other during an attack. @returns the seconds of each job */
async function measure(
  address: string,
  attack: () => Promise<void>,
  afterEach?: () => Promise<void>,
): Promise<number[]> {
  const [token] = await signUpUsers(address, 1);
  const user = { address, token: token! };
  const seconds: number[] = [];
  let isOver = false;
  const attacked = attack().finally(() => (isOver = true));
  for (let i = 0; i < JOBS || !isOver; i += 1) {
    if (i > 0 && i % 25 === 0) user.token = (await signUpUsers(address, 1))[0]!;
    const started = performance.now();
    const status = await call(user, '/api/ai/generate-blog-title', json({ prompt: `Bread number ${i}` }));
    if (status !== 200) throw new Error(`Another user's job was answered ${status}.`);
    seconds.push((performance.now() - started) / 1_000);
    await afterEach?.();
  }
  await attacked;
  return seconds;
}

function send(
  { address, token }: Pick<World, 'address'> & Partial<World>,
  path: string,
  options: RequestInit = {},
): Promise<Response> {
  const headers = new Headers(options.headers);
  if (token) headers.set('authorization', `Bearer ${token}`);
  // Don't reuse connections: the server may close an idle connection just as the client sends a request.
  headers.set('connection', 'close');
  return fetch(`${address}${path}`, { ...options, headers });
}

async function call(...request: Parameters<typeof send>): Promise<number> {
  const answer = await send(...request);
  await answer.arrayBuffer();
  return answer.status;
}

const json = (body: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

function form(files: Record<string, [name: string, bytes: Buffer]>) {
  const data = new FormData();
  for (const [name, [file, bytes]] of Object.entries(files))
    data.set(name, new Blob([new Uint8Array(bytes)]), file);
  return data;
}

/** Opens an upload that announces a large body and sends nothing. */
function holdUpload({ address, token }: World) {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(
    `POST /api/ai/resume-review HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${token}\r\n` +
      'Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 5000000\r\n\r\n',
  );
  return socket;
}

function askWithoutReading({ address, token }: World, path: string) {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined).pause();
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  return socket;
}

/** Stores creations with long texts for the attacker. */
async function fillCreations({ databaseUrl, token }: World): Promise<void> {
  await query(
    databaseUrl,
    `INSERT INTO creations (id, user_id, tool, type, prompt, content, engine)
     SELECT gen_random_uuid(), '${decodeJwt(token).sub}', 'generate-article', 'article', 'Text ' || n,
       n || ' ' || (SELECT string_agg('word' || i % 64, ' ') FROM generate_series(1, 10000) AS i), 'offline'
     FROM generate_series(1, ${1_000 * STRENGTH}) AS n`,
  );
}

const atOnce = (count: number, task: (index: number) => Promise<number>): Promise<number[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => task(i)));

/** Runs tasks four at a time, because a user may have four concurrent uploads. */
async function fourAtOnce(count: number, task: (index: number) => Promise<number>): Promise<number[]> {
  const statuses: number[] = [];
  await inParallel(count, 4, async (i) => statuses.push(await task(i)));
  return statuses;
}

/** Sends a wave of requests every second, for SECONDS. @returns the status of each request */
async function repeat(wave: () => Promise<number[]>): Promise<number[]> {
  const statuses: number[] = [];
  for (const end = performance.now() + SECONDS * 1_000; performance.now() < end;) {
    const [answers] = await Promise.all([wave(), pause(1_000)]);
    statuses.push(...answers);
  }
  return statuses;
}

/** Waits until the attacker's jobs have ended. */
async function untilIdle({ databaseUrl, token }: World): Promise<void> {
  const unfinished = `SELECT 1 FROM jobs WHERE user_id = '${decodeJwt(token).sub}' AND finished_at IS NULL LIMIT 1`;
  while ((await query(databaseUrl, unfinished)).rows.length > 0) await pause(500);
}

function countOf(statuses: number[]): string {
  const counts = new Map<number, number>();
  for (const status of statuses.toSorted((a, b) => a - b)) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${count} × ${status}`).join(', ');
}
