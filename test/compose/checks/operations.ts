import type { ToolName } from '#libs/tools/catalogue.js';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync, chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../support/until.ts';
import { User } from '../user.ts';
import type { Report } from '../report.ts';
import { requests } from '../requests.ts';
import { sendRequests } from './recovery.ts';
import { secret, type Stack } from '../stack.ts';

/** Gets the alerts. */
export const OPERATOR_ADDRESS = 'operator@example.com';

/** Does what docs/operations.md describes for operators. */
export async function checkOperations(stack: Stack, report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'pressroom-backup-'));
  // The export runs as the image's own user.
  chmodSync(folder, 0o777);
  let ada: User | undefined;
  let article = '';
  let picture = '';

  await report.check('a backup is taken: the database, then the files', async () => {
    ada = await User.signUp(stack);
    await stack.compose('exec', '-T', 'api', 'node', 'dist/scripts/cli.js', 'plan', ada.email, 'premium');
    const bodies = await requests(ada);
    const resultOf = async (tool: ToolName) => {
      const job = await ada!.ended((await ada!.submit(tool, bodies[tool])).id);
      assert.equal(job.status, 'succeeded', JSON.stringify(job.error));
      return job.result?.content as string;
    };
    article = await resultOf('generate-article');
    picture = await resultOf('generate-image');
    const dump = [
      'exec',
      '-T',
      'postgres',
      'pg_dump',
      '--username=pressroom',
      '--clean',
      '--if-exists',
      'pressroom',
    ];
    writeFileSync(join(folder, 'pressroom.sql'), await stack.compose(...dump));
    const output = await stack.compose(...filesCommand('export'));
    assert.match(output, /^[1-9]\d* copied, 0 already present\.$/m);
  });

  await report.check('the workers by queue serve what their queue is for, without the others', async () => {
    const profile = ['--profile', 'workers-by-queue'];
    await stack.compose(
      ...profile,
      'up',
      '--detach',
      '--wait',
      '--no-recreate',
      '--scale',
      'worker=0',
      '--scale',
      'api=2',
    );
    assert.equal((await stack.containers('worker')).length, 0);
    const bodies = await requests(ada!);
    for (const tool of ['generate-blog-title', 'remove-image-background', 'chat-with-pdf'] as const) {
      const job = await ada!.ended((await ada!.submit(tool, bodies[tool])).id);
      assert.equal(job.status, 'succeeded', `${tool}: ${JSON.stringify(job.error)}`);
    }
    await stack.compose(...profile, 'rm', '--stop', '--force', 'worker-text', 'worker-image', 'worker-pdf');
  });

  await report.check('an alert arrives by mail while no worker runs', async () => {
    await until('the mail', () =>
      stack.mail?.mails.some(
        ({ to, source }) => to.includes(OPERATOR_ADDRESS) && source.includes('No worker serves the queue'),
      ),
    );
    await stack.up('--no-recreate', '--scale', 'api=2');
  });

  await report.check('the doctor runs in a container', async () => {
    const output = await stack.compose('exec', '-T', 'worker', 'node', 'dist/scripts/cli.js', 'doctor');
    for (const ability of ['text', 'stream', 'JSON', 'make pictures', 'edit pictures'])
      assert.match(output, new RegExp(`^  ✓ ${ability} `, 'm'));
    assert.match(output, /^ {2}AI Art Generator +the service$/m);
  });

  await report.check('a user is deleted with a receipt, which the audit log has too', async () => {
    const ben = await User.signUp(stack);
    const receipt = JSON.parse(await command('users', 'delete', ben.email, '--yes', '--json')) as {
      id: string;
      rows: Record<string, number>;
      left: object;
      sha256: string;
    };
    assert.equal(receipt.rows.users, 1);
    assert.deepEqual(receipt.left, {});
    const entries = JSON.parse(await command('audit', '--target', receipt.id, '--json')) as {
      operator: string;
      action: string;
      details: { sha256: string };
    }[];
    const deletion = entries.find(({ action }) => action === 'user.delete');
    assert.deepEqual([deletion?.operator, deletion?.details.sha256], ['anna', receipt.sha256]);
    assert.ok(entries.some(({ action }) => action === 'user.files-deleted'));
  });

  await report.check('all users are signed out', async () => {
    const ben = await User.signUp(stack);
    assert.match(await command('sign-out', '--all', '--yes'), /^Ended [1-9]\d* sessions\.$/m);
    await assert.rejects(ben.newToken());
    assert.deepEqual(await stack.sql('SELECT count(*) FROM auth_sessions'), [['0']]);
  });

  await report.check('AUTH_SECRET is rotated with all sessions, and changed, which ends them', async () => {
    const ben = await User.signUp(stack);
    const roll = () => stack.run('sh', ['ops/roll.sh', 'api']);
    const { AUTH_SECRET: first = '' } = stack.set({ AUTH_SECRET: secret() });
    stack.set({ AUTH_SECRET_PREVIOUS: first });
    await roll();
    await ben.newToken();
    assert.match(await command('re-encrypt'), /AUTH_SECRET_PREVIOUS can be removed\.$/m);
    stack.set({ AUTH_SECRET_PREVIOUS: '' });
    await roll();
    await ben.newToken();
    const last = secret();
    stack.set({ AUTH_SECRET: last });
    await roll();
    await assert.rejects(ben.newToken());
    // The backup was taken with the first one.
    stack.set({ AUTH_SECRET: first, AUTH_SECRET_PREVIOUS: last });
  });

  await report.check(
    'the passwords of PostgreSQL, Redis and MinIO are changed by docs/rotation.md',
    async () => {
      const ben = await User.signUp(stack);
      const working = new AbortController();
      const sent = sendRequests(ben, working.signal, 1_000);
      await changePasswords(stack).finally(() => working.abort());
      const { answered, failures } = await sent;
      assert.deepEqual(failures, []);
      const job = await ben.ended(
        (await ben.submit('generate-blog-title', { json: { prompt: 'lamps', category: 'Lifestyle' } })).id,
      );
      assert.equal(job.status, 'succeeded', JSON.stringify(job.error));
      return `${answered} requests answered, one a second`;
    },
  );

  await report.check('each of our programs exits on stop before it is killed', async () => {
    await stack.up('--no-recreate', '--scale', 'worker=2', '--scale', 'api=2');
    await stack.compose('stop', 'proxy', 'worker', 'api');
    for (const { id, service } of await stack.containers('worker', 'api', 'proxy')) {
      assert.equal(await stack.inspect(id, '.State.ExitCode'), 0, service);
    }
  });

  await report.check('everything is restored onto empty volumes', async () => {
    await stack.compose('down', '--volumes', '--timeout', '10');
    await stack.up('postgres', 'redis', 'minio');
    const restore =
      'docker compose exec -T postgres psql --username=pressroom --dbname=pressroom --quiet --set=ON_ERROR_STOP=1';
    await stack.run('sh', ['-c', `${restore} < "$0"`, join(folder, 'pressroom.sql')]);
    await stack.compose('run', '--rm', '--no-deps', 'migrate');
    const output = await stack.compose(...filesCommand('import'));
    assert.match(output, /^[1-9]\d* copied, 0 already present\.$/m);
    await stack.up();
    const { creations } = await ada!.get<{ creations: { content: string }[] }>(
      '/api/user/get-user-creations',
    );
    assert.ok(creations.some(({ content }) => content === article));
    assert.equal((await ada!.read(picture)).subarray(0, 3).toString('hex'), 'ffd8ff');
  });
  rmSync(folder, { recursive: true, force: true });

  function command(...words: string[]): Promise<string> {
    return stack.compose('exec', '-T', 'api', 'node', 'dist/scripts/cli.js', '--as', 'anna', ...words);
  }

  function filesCommand(direction: 'export' | 'import'): string[] {
    const run = ['run', '--rm', '--no-deps', '--volume', `${folder}:/backup`, 'migrate'];
    return [...run, 'node', 'dist/scripts/cli.js', 'files', direction, '/backup'];
  }
}

/** Does what docs/rotation.md says for the services of the stack. */
async function changePasswords(stack: Stack): Promise<void> {
  const roll = () => stack.run('sh', ['ops/roll.sh', 'worker', 'api']);
  const migrate = () => stack.compose('up', '--no-deps', 'migrate');
  const [database, redis, store] = [secret(), secret(), secret()];
  await stack.sql(`ALTER ROLE pressroom PASSWORD '${database}'`);
  stack.set({ POSTGRES_PASSWORD: database });
  await roll();
  await migrate();
  await stack.compose('exec', '-T', 'redis', 'redis-cli', 'CONFIG', 'SET', 'requirepass', redis);
  stack.set({ REDIS_PASSWORD: redis });
  await roll();
  await stack.up('--no-deps', 'redis');
  stack.set({ MINIO_ROOT_PASSWORD: store });
  await stack.up('--no-deps', 'minio');
  await roll();
  await migrate();
}
