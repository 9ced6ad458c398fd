import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { execa } from 'execa';
import { inRoot } from '../../scripts/stack/root.ts';
import { describeWithProxy } from '../support/available.ts';
import { findProgram } from '../support/machine-programs.ts';
import { freePort } from '../support/ports.ts';
import { until } from '../support/until.ts';

interface Line {
  path: string;
  address: string;
  status: number;
}

describeWithProxy('the log of the proxy', () => {
  let folder: string;
  let api: Server;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'pressroom-proxy-'));
    api = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
    await once(api, 'listening');
  });
  afterEach(() => {
    api.close();
    rmSync(folder, { recursive: true });
  });

  it('has the path of a request, without its query and the token of a shared text', async () => {
    const lines = await logOf({}, [
      '/api/user/creations?search=my+secret',
      '/t/secret',
      '/api/shared/secret',
      '/a"b\\c?d',
    ]);
    expect(lines.map(({ path }) => path)).toEqual([
      '/api/user/creations',
      '/t/...',
      '/api/shared/...',
      '/a_b_c',
    ]);
  });

  it.each([
    ['', '203.0.113.0'],
    ['network', '203.0.113.0'],
    ['full', '203.0.113.77'],
    ['none', '-'],
  ])('has the address of a client by LOG_ADDRESSES=%s', async (setting, address) => {
    const lines = await logOf({ LOG_ADDRESSES: setting, PROXY_TRUSTS: '127.0.0.1' }, ['/'], {
      'X-Forwarded-For': '198.51.100.1, 203.0.113.77',
    });
    expect(lines).toEqual([expect.objectContaining({ address })]);
  });

  it('has the client’s own address where no proxy of the operator forwards it', async () => {
    const lines = await logOf({ LOG_ADDRESSES: 'full' }, ['/'], { 'X-Forwarded-For': '203.0.113.77' });
    expect(lines).toEqual([expect.objectContaining({ address: '127.0.0.1' })]);
  });

  /** Sends requests through the proxy with its own configuration, but another port and one api, and returns its lines. */
  async function logOf(
    settings: Record<string, string>,
    paths: string[],
    headers: Record<string, string> = {},
  ): Promise<Line[]> {
    const port = await freePort();
    const file = join(folder, 'haproxy.cfg');
    const configuration = readFileSync(inRoot('ops/proxy/haproxy.cfg'), 'utf8')
      .replace('bind :8080', `bind 127.0.0.1:${port}`)
      .replaceAll(/server-template .*/g, `server api 127.0.0.1:${(api.address() as AddressInfo).port}`);
    writeFileSync(file, configuration);
    const proxy = execa(findProgram('haproxy') ?? 'haproxy', ['-db', '-f', file], {
      env: { PROXY_TRUSTS: '192.0.2.1', ...settings },
      reject: false,
    });
    const first = `http://127.0.0.1:${port}/first`;
    await until('the proxy', () =>
      fetch(first, { headers }).then(
        () => true,
        () => false,
      ),
    );
    for (const path of paths) await send(port, path, headers);
    proxy.kill('SIGUSR1');
    const { stdout } = await proxy;
    return stdout
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Line)
      .filter(({ path }) => path !== '/first');
  }
});

/** Sends a path as it is: `fetch` would encode it. */
async function send(port: number, path: string, headers: Record<string, string>): Promise<void> {
  const sent = request({ host: '127.0.0.1', port, path, headers, agent: false }).end();
  const [response] = (await once(sent, 'response')) as [NodeJS.ReadableStream];
  await once(response.resume(), 'end');
}
