import { readFileSync } from 'node:fs';
import { readdir, readFile, symlink, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request as requestHttp } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { execa } from 'execa';
import { handlers } from '#libs/tools/handlers.js';
import { discOnBlue } from '../support/image-files.ts';
import { type SignedInUser, useInProcessProduct } from '../support/in-process-product.ts';
import { addProbeTools, closeGate, gate } from '../support/probe-tools.ts';
import { allowTimeForPrograms } from '../support/time-limits.ts';
import { freePort } from '../support/ports.ts';
import { unzip } from '../support/unzip.ts';
import { until } from '../support/until.ts';

allowTimeForPrograms();

// Returns the uploaded picture, so that no model has to run.
addProbeTools();
Object.assign(handlers, {
  'remove-image-background': (handlers as Record<string, unknown>)['probe-image'],
});

const root = fileURLToPath(new URL('../..', import.meta.url));
const inRoot = (...path: string[]) => join(root, ...path);
const product = useInProcessProduct({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1', SYNC_WAIT_SECONDS: '5' });

/** A folder outside the project with the packed package installed. */
let folder: string;
let ada: SignedInUser;
let key: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pressroom-client-'));
  const built = join(folder, 'package');
  await execa(process.execPath, [
    inRoot('node_modules/typescript/bin/tsc'),
    ...['--project', inRoot('clients/typescript'), '--outDir', join(built, 'dist')],
  ]);
  await writeFile(
    join(built, 'package.json'),
    await readFile(inRoot('clients/typescript/package.json'), 'utf8'),
  );
  const { stdout } = await execa('npm', ['pack', '--pack-destination', folder], { cwd: built });
  await writeFile(join(folder, 'package.json'), '{"private": true, "type": "module"}');
  await execa('npm', ['install', '--offline', join(folder, stdout.trim().split('\n').at(-1)!)], {
    cwd: folder,
  });
  await symlink(inRoot('node_modules/standardwebhooks'), join(folder, 'node_modules/standardwebhooks'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

beforeEach(async () => {
  gate.open();
  ada = await product.signUp('Ada', 'premium');
  const scopes = ['images', 'text', 'resumes', 'read', 'write', 'webhooks'];
  const answer = await ada.call('/api/keys', { json: { name: 'Client', scopes } });
  ({ secret: key } = (await answer.json()) as { secret: string });
});

const environment = (url = product.origin) => ({
  ...{ PRESSROOM_URL: url, PRESSROOM_KEY: key },
  // As docs/api.md names them.
  ...{ PRESSROOM: url, KEY: key },
});

async function runProgram(source: string, url?: string) {
  await writeFile(join(folder, 'program.js'), source);
  return execa(process.execPath, ['program.js'], { cwd: folder, env: environment(url) });
}

const command = (...args: string[]) =>
  execa(join(folder, 'node_modules/.bin/pressroom'), args, {
    cwd: folder,
    env: environment(),
    reject: false,
  });

async function addPictures(names: string[], into = 'photos') {
  await rm(join(folder, into), { recursive: true, force: true });
  await mkdir(join(folder, into));
  const picture = await discOnBlue(64, 64).jpeg().toBuffer();
  await Promise.all(names.map((name) => writeFile(join(folder, into, name), picture)));
}

const countJobs = async () =>
  (await product.sql('SELECT count(*)::integer FROM jobs WHERE user_id = $1', [ada.id]))[0]!.count;

/** The programs of docs/api.md. */
const programs = [...readFileSync(inRoot('docs/api.md'), 'utf8').matchAll(/```js\n(.*?)```/gs)].map(
  ([, source]) => source!,
);
const programWith = (text: string) => programs.find((source) => source.includes(text))!;

describe('the client package', () => {
  it('has less than 10 kB, compressed', async () => {
    const bundle = join(folder, 'bundle.js');
    await execa(process.execPath, [
      inRoot('node_modules/rolldown/bin/cli.mjs'),
      join(folder, 'node_modules/pressroom/dist/index.js'),
      ...['--platform', 'browser', '--minify', '--file', bundle],
    ]);
    expect(gzipSync(await readFile(bundle)).length).toBeLessThan(10_000);
  });

  it('makes a batch of thirty pictures, is told by a webhook, and takes the ZIP', async () => {
    await addPictures(Array.from({ length: 30 }, (_, n) => `lamp ${n} – ${'x'.repeat(40)}.jpg`));
    const port = await freePort();
    const source = programWith('createWebhook')
      .replace('https://shop.example/events', `http://127.0.0.1:${port}/events`)
      .replace('listen(8080)', `listen(${port})`);
    await writeFile(join(folder, 'batch.js'), source);
    const program = execa(process.execPath, ['batch.js'], { cwd: folder, env: environment(), reject: false });
    const zip = await until('the ZIP', async () => {
      const found = await readFile(join(folder, 'results.zip')).catch(() => null);
      return found !== null && found.includes('PK\x05\x06') && found;
    });
    program.kill();
    await program;
    expect(unzip(zip).size).toBe(30);
  });

  it('runs the first program of its page', async () => {
    const { stdout } = await runProgram(programWith('generateArticle'));
    expect(stdout).toMatch(/^# .*Salt Marshes/i);
    expect(stdout).toMatch(/100 Done$/);
  });

  it('follows a job, and throws errors with their code', async () => {
    const { stdout } = await runProgram(`
      import { generateBlogTitle, generateArticle, JobFailedError, Pressroom, PressroomError } from 'pressroom';
      const options = { url: process.env.PRESSROOM_URL, key: process.env.PRESSROOM_KEY };
      const pressroom = new Pressroom(options);
      const { id } = await pressroom.submit(generateBlogTitle, { prompt: 'salt marshes', category: 'Travel' });
      const statuses = [];
      for await (const job of pressroom.follow(id)) statuses.push(job.status);
      const invalid = await pressroom.submit(generateArticle, { prompt: '', length: 800 }).catch((error) => error);
      const refused = await new Pressroom({ ...options, key: 'prk_x' }).wait(id).catch((error) => error);
      const down = await new Pressroom({ ...options, fetch: () => Promise.reject(new TypeError('no')) })
        .run(generateBlogTitle, {}, { signal: AbortSignal.timeout(200) }).catch((error) => error);
      console.log(JSON.stringify([statuses.at(-1), invalid instanceof PressroomError, invalid.code, invalid.details[0].field,
        refused.status, refused.code, down.name]));
    `);
    expect(JSON.parse(stdout)).toEqual([
      'succeeded',
      true,
      'VALIDATION_FAILED',
      'prompt',
      401,
      'UNAUTHENTICATED',
      'TimeoutError',
    ]);
  });

  it('starts one job over a connection that breaks and a server that is busy', async () => {
    const line = await startBadLine(product.origin);
    const { stdout } = await runProgram(
      `
      import { generateBlogTitle, Pressroom } from 'pressroom';
      const pressroom = new Pressroom({ url: process.env.PRESSROOM_URL, key: process.env.PRESSROOM_KEY });
      const job = await pressroom.run(generateBlogTitle, { prompt: 'salt marshes', category: 'Travel' });
      console.log(job.status);
    `,
      line.url,
    );
    await line.stop();
    expect(stdout).toBe('succeeded');
    expect(await countJobs()).toBe(1);
    expect(line.broken).toEqual(['POST busy', 'POST cut', 'GET cut']);
  });
});

/** Forwards requests; the first submission is refused, the second cut after it arrived, and the first stream cut. */
async function startBadLine(target: string) {
  const faults = ['POST busy', 'POST cut', 'GET cut'];
  const broken: string[] = [];
  const server = createServer((request, response) => {
    const next = faults[0];
    const isFault =
      next?.startsWith(request.method!) === true && (next !== 'GET cut' || request.url!.endsWith('/events'));
    if (isFault) broken.push(faults.shift()!);
    if (isFault && next === 'POST busy') return response.writeHead(503, { 'Retry-After': '0' }).end();
    const { method, headers } = request;
    const forwarded = requestHttp(target + request.url!, { method, headers }, (answer) => {
      if (isFault) return response.socket!.destroy();
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    return request.pipe(forwarded);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    broken,
    async stop() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

describe('the command', () => {
  it('saves the results of pictures, and continues where it stopped', async () => {
    await addPictures(['a.jpg', 'b.jpg', 'ночь 夜.jpg']);
    const paths = ['photos/a.jpg', 'photos/b.jpg', 'photos/ночь 夜.jpg'];
    const first = await command('remove-background', ...paths.slice(0, 2), '--out', 'cut/');
    expect([first.exitCode, first.stderr.split('\n').toSorted()]).toEqual([0, ['cut/a.png', 'cut/b.png']]);
    const second = await command('remove-background', ...paths, '-o', 'cut/');
    expect(second.exitCode).toBe(0);
    expect((await readdir(join(folder, 'cut'))).toSorted()).toEqual(['a.png', 'b.png', 'ночь 夜.png']);
    expect(await countJobs()).toBe(3);
  });

  it('prints texts, and takes files as fields', async () => {
    const titles = await command('generate-blog-title', '--prompt', 'salt marshes', '--category', 'Travel');
    expect([titles.exitCode, titles.stdout]).toEqual([0, expect.stringMatching(/salt marsh/i)]);
    await writeFile(join(folder, 'resume.txt'), 'x');
    const refused = await command('resume-review', '--resume', '@resume.txt');
    expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringMatching(/PDF/)]);
  });

  it.each([
    [[], /Usage/],
    [['remove-background', 'photos/a.jpg'], /--out/],
    [['remove-background', 'none.jpg', '--out', 'cut2'], /no file none\.jpg/],
    [['resume-review', 'resume.pdf'], /--resume @resume\.pdf/],
    [['generate-article', '--prompt'], /prompt/],
    [['generate-article', '--url', 'here', '--prompt', 'x'], /no address/],
  ])('explains wrong arguments: %j', async (args, message) => {
    const { exitCode, stdout, stderr } = await command(...args);
    expect([exitCode, stdout + stderr]).toEqual([2, expect.stringMatching(message)]);
  });

  it('tells of an unknown tool and of a picture that failed', async () => {
    const unknown = await command('make-coffee', '--size', 'large');
    expect([unknown.exitCode, unknown.stderr]).toEqual([1, expect.stringMatching(/tool/i)]);
    await addPictures(['a.jpg']);
    await writeFile(join(folder, 'photos/broken.jpg'), 'no picture');
    const { exitCode, stderr } = await command(
      'remove-background',
      'photos/a.jpg',
      'photos/broken.jpg',
      '-o',
      'cut3',
    );
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/broken\.jpg/)]);
    expect(await readdir(join(folder, 'cut3'))).toEqual(['a.png']);
  });

  it('cancels what it started when it is stopped', async () => {
    closeGate();
    await addPictures(['a.jpg', 'b.jpg']);
    const running = command('remove-background', 'photos/a.jpg', 'photos/b.jpg', '-o', 'cut4');
    await until('the jobs', async () => (await countJobs()) === 2);
    running.kill('SIGINT');
    const { exitCode, stderr } = await running;
    expect([exitCode, stderr]).toEqual([130, expect.stringMatching(/cancelled/)]);
    const statuses = await product.sql('SELECT DISTINCT status AS name FROM jobs WHERE user_id = $1', [
      ada.id,
    ]);
    expect(statuses).toEqual([{ name: 'cancelled' }]);
  });
});
