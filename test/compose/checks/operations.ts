import type { ToolName } from '#libs/tools/catalogue.js';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync, chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { User } from '../user.ts';
import type { Report } from '../report.ts';
import { requests } from '../requests.ts';
import type { Stack } from '../stack.ts';

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
    assert.match(output, /^[1-9]\d* copied, 0 there already\.$/m);
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
    const output = await stack.compose(...filesCommand('import'));
    assert.match(output, /^[1-9]\d* copied, 0 there already\.$/m);
    await stack.up();
    const { creations } = await ada!.get<{ creations: { content: string }[] }>(
      '/api/user/get-user-creations',
    );
    assert.ok(creations.some(({ content }) => content === article));
    assert.equal((await ada!.read(picture)).subarray(0, 3).toString('hex'), 'ffd8ff');
  });
  rmSync(folder, { recursive: true, force: true });

  function filesCommand(direction: 'export' | 'import'): string[] {
    const run = ['run', '--rm', '--no-deps', '--volume', `${folder}:/backup`, 'migrate'];
    return [...run, 'node', 'dist/scripts/cli.js', 'files', direction, '/backup'];
  }
}
