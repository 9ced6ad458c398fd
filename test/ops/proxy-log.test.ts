import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { execa } from 'execa';
import { inRoot } from '../../scripts/stack/root.ts';
import { describeWithProxy } from '../support/available.ts';
import { findProgram } from '../support/machine-programs.ts';
import { freePort } from '../support/ports.ts';
import { until } from '../support/until.ts';

/** The beginning of a TLS connection. */
const NO_REQUEST = '\x16\x03\x01\r\n\r\n';

interface Line {
  time: number;
  unloggedRefusals: string;
  unloggedRequests: string;
  path: string;
  address: string;
  status: number;
  code: string;
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

  it('has the path of a request, without its query, the token of a shared text and keys of files', async () => {
    const lines = await logOf({}, [
      '/api/user/creations?search=my+secret',
      '/t/secret',
      '/api/shared/secret',
      '/files/secret',
      '/files/batches/secret',
      '/a"b\\c?d',
    ]);
    const paths = lines.map(({ path }) => path);
    // The proxy’s threads may write lines in another order than requests came.
    expect(paths.sort()).toEqual([
      '/a_b_c',
      '/api/shared/...',
      '/api/user/creations',
      '/files/...',
      '/files/...',
      '/t/...',
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

  it('has the code of the proxy’s own refusals, and no more than 20 of them a minute', async () => {
    // Each day stands for a minute, which must not end between two requests.
    const configure = (text: string) => text.replace('date,div(60)', 'date,div(86400)');
    const requests = Array<string>(30).fill('/');
    const lines = await logOf({ PROXY_TRUSTS: '192.0.2.1' }, requests, {}, { rate: 1, configure });
    const refused = lines.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(20);
    expect(refused[0]).toMatchObject({ code: 'RATE_LIMITED' });
  });

  it('has the number of refusals without a line in the next line of the address', async () => {
    // Each tenth of a second stands for a minute.
    const configure = (text: string) => text.replace('date,div(60)', 'date(0,ms),div(100),mod(1000000)');
    const paths = (number: number) => Array.from({ length: number }, (_, i) => `/${i}`);
    const begun = Date.now();
    const lines = await logOf({ PROXY_TRUSTS: '192.0.2.1' }, paths(2_000), {}, { rate: 1, configure });
    const refused = lines.filter(({ status }) => status === 429);
    expect(refused.length).toBeLessThan(20 + (Date.now() - begun) / 100 + 2);
    const last = refused.at(-1)!;
    expect(Number(last.unloggedRefusals)).toBeGreaterThan(0);
    expect(last.time).toBeGreaterThanOrEqual(begun);
    // Refusals that came before the last line.
    const before = Number(last.path.slice(1));
    const counted = refused.reduce((sum, { unloggedRefusals }) => sum + 1 + Number(unloggedRefusals), 0);
    const answered = lines.length - refused.length;
    expect(counted + answered).toBe(before + 1);
  });

  it('has 300 lines of an address in a minute, and then the first of each', async () => {
    // Each second stands for a minute.
    const configure = (text: string) => text.replace('date,div(60)', 'date');
    const paths = Array.from({ length: 2_000 }, (_, i) => `/${i}`);
    const begun = Date.now();
    const lines = await logOf({ PROXY_TRUSTS: '192.0.2.1' }, paths, {}, { rate: 100_000, configure });
    expect(lines.length).toBeLessThan(300 + (Date.now() - begun) / 1_000 + 2);
    const last = lines.at(-1)!;
    const counted = lines.reduce((sum, { unloggedRequests }) => sum + 1 + Number(unloggedRequests), 0);
    expect(counted).toBeGreaterThanOrEqual(Number(last.path.slice(1)) + 1);
    expect(counted).toBeLessThanOrEqual(2_000);
  });

  it('has the code of an answer without an api', async () => {
    const lines = await logOf({}, ['/gone'], {}, { isApiStopped: true });
    expect(lines).toEqual([expect.objectContaining({ status: 503, code: 'UNAVAILABLE' })]);
  });

  it('has a line of a request that it cannot parse', async () => {
    const lines = await logOf({}, [], {}, { bytes: NO_REQUEST });
    const address = '127.0.0.0';
    expect(lines).toEqual([
      expect.objectContaining({ status: 400, code: 'BAD_REQUEST', path: '-', address }),
    ]);
  });

  it('has the address of a request that it cannot parse only by LOG_ADDRESSES', async () => {
    const addressWith = async (LOG_ADDRESSES: string) =>
      (await logOf({ LOG_ADDRESSES }, [], {}, { bytes: NO_REQUEST })).map(({ address }) => address);
    expect(await addressWith('full')).toEqual(['127.0.0.1']);
    expect(await addressWith('none')).toEqual(['-']);
  });

  it('has 20 lines a minute of an address whose requests it cannot parse, which is then rejected', async () => {
    const lines = await logOf({}, ['/before'], {}, { bytes: NO_REQUEST, times: 60 });
    expect(lines.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(20).fill(400)]);
  });

  it('rejects no address for many answers with an error', async () => {
    api.removeAllListeners('request').on('request', (_, response) => response.writeHead(404).end());
    const lines = await logOf({}, Array<string>(60).fill('/'));
    expect(lines.filter(({ status }) => status === 404)).toHaveLength(60);
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
    { rate = 3000, isApiStopped = false, bytes = '', times = 1, configure = (text: string) => text } = {},
  ): Promise<Line[]> {
    const port = await freePort();
    const file = join(folder, 'haproxy.cfg');
    const configuration = readFileSync(inRoot('ops/proxy/haproxy.cfg'), 'utf8')
      .replace('bind :8080', `bind 127.0.0.1:${port}`)
      .replace('gt 3000', `gt ${rate}`)
      .replaceAll(/server-template .*/g, `server api 127.0.0.1:${(api.address() as AddressInfo).port}`);
    writeFileSync(file, configure(configuration));
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
    if (isApiStopped) api.close().closeAllConnections();
    for (const path of paths) await send(port, path, headers);
    if (bytes) for (let sent = 0; sent < times; sent += 1) await sendBytes(port, bytes);
    proxy.kill('SIGUSR1');
    const { stdout } = await proxy;
    return stdout
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Line)
      .filter(({ path }) => path !== '/first');
  }
});

/** Sends bytes on a connection of their own, which the proxy may reject. */
const sendBytes = (port: number, bytes: string) =>
  new Promise<void>((closed) => {
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes));
    socket.resume().on('error', () => undefined);
    socket.on('close', () => closed());
  });

/** Sends a path as it is: `fetch` would encode it. */
async function send(port: number, path: string, headers: Record<string, string>): Promise<void> {
  const sent = request({ host: '127.0.0.1', port, path, headers, agent: false }).end();
  const [response] = (await once(sent, 'response')) as [NodeJS.ReadableStream];
  await once(response.resume(), 'end');
}
