import type dns from 'node:dns';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPublicFetch, ForbiddenAddress, isPublicAddress } from './public-fetch.js';

let server: Server;
let port: number;
let connections = 0;
beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/away') response.writeHead(302, { location: `http://127.0.0.1:${port}/inside` });
    response.end(request.url);
  });
  server.on('connection', () => (connections += 1));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => new Promise((closed) => server.close(closed)));

/** A `dns.lookup` that gives one answer after another. */
const lookupOf = (...answers: string[]) =>
  ((_host: string, _options: object, done: (error: null, addresses: dns.LookupAddress[]) => void) =>
    done(null, [{ address: answers.shift() ?? '127.0.0.1', family: 4 }])) as unknown as typeof dns.lookup;

/** The error itself, or its cause. */
const refusalOf = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: Error) => (error.cause as Error | undefined)?.name ?? error.name,
  );

describe('a fetch of public addresses', () => {
  it.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '0.0.0.0',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '192.0.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[fe80::1]',
    '[fc00::1]',
    '[ff02::1]',
    '127.0.0.1.',
    '127.0.1',
    '0',
    '0x7f000001',
    '017700000001',
    '127.255.255.254',
    '１２７.０.０.１',
    '127。0。0。1',
    '%31%32%37.0.0.1',
    '10.255.255.255',
    '172.31.255.255',
    '192.168.255.255',
    '100.127.255.255',
    '169.254.0.1',
    '192.0.0.170',
    '192.0.2.1',
    '192.88.99.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.254',
    '[0:0:0:0:0:0:0:1]',
    '[::127.0.0.1]',
    '[::FFFF:10.0.0.1]',
    '[::ffff:0:127.0.0.1]',
    '[64:ff9b::10.0.0.1]',
    '[64:ff9b:1::1]',
    '[100::1]',
    '[2001::1]',
    '[2001:2::1]',
    '[2001:10::1]',
    '[2001:20::1]',
    '[2001:db8::1]',
    '[2002:a00:1::]',
    '[3fff::1]',
    '[5f00::1]',
    '[fd12:3456:789a::1]',
    '[fdff::1]',
    '[feb0::1]',
    '[fec0::1]',
    '[ff05::2]',
    '[ff0e::1]',
  ])('does not connect to %s', async (host) => {
    const before = connections;
    const publicFetch = createPublicFetch({ allowedNetworks: ['10.20.0.0/16'] });
    for (const scheme of ['http', 'https'])
      expect(await refusalOf(publicFetch(`${scheme}://${host}:${port}/`))).toBe('ForbiddenAddress');
    expect(connections).toBe(before);
  });

  it('does not connect to a name that is inside, now or at the second answer', async () => {
    const before = connections;
    const publicFetch = createPublicFetch({ lookup: lookupOf('127.0.0.1') });
    expect(await refusalOf(publicFetch(`https://inside.example:${port}/`))).toBe('ForbiddenAddress');
    expect(await refusalOf(createPublicFetch()(`https://localhost:${port}/`))).toBe('ForbiddenAddress');
    expect(connections).toBe(before);
  });

  it('refuses other schemes, and names with a password', async () => {
    for (const url of [`http://example.com/`, 'file:///etc/passwd', 'https://a:b@example.com/'])
      await expect(createPublicFetch()(url)).rejects.toThrow(ForbiddenAddress);
  });

  it('fetches what is allowed, and answers a redirect as it is', async () => {
    const allowed = createPublicFetch({ allowedNetworks: ['127.0.0.1', '::1'], lookup: lookupOf() });
    const answer = await allowed(`http://shop.example:${port}/lamp.jpg`);
    expect(await answer.text()).toBe('/lamp.jpg');
    const redirect = await allowed(`http://127.0.0.1:${port}/away`);
    expect([redirect.status, redirect.headers.get('location')]).toEqual([
      302,
      expect.stringContaining('/inside'),
    ]);
    await redirect.body?.cancel();
  });

  it('refuses a public address by plain HTTP', async () => {
    const allowed = createPublicFetch({
      allowedNetworks: ['127.0.0.0/8'],
      lookup: lookupOf('93.184.216.34'),
    });
    expect(await refusalOf(allowed('http://shop.example/'))).toBe('ForbiddenAddress');
    expect(await refusalOf(allowed('http://93.184.216.34/'))).toBe('ForbiddenAddress');
  });

  it('asks the proxy for names, and never for inside addresses', async () => {
    const tunnels: string[] = [];
    const proxy = createServer().on('connect', (request, socket) => {
      tunnels.push(request.url!);
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    });
    await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
    const proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const proxied = createPublicFetch({ proxyUrl });
    await expect(proxied('https://shop.example/')).rejects.toThrow();
    expect(await refusalOf(proxied('https://127.0.0.1/'))).toBe('ForbiddenAddress');
    expect(tunnels).toEqual(['shop.example:443']);
    await new Promise((closed) => proxy.close(closed));
  });

  it('knows public addresses', () => {
    for (const address of ['93.184.216.34', '2606:2800:220:1::1', '::ffff:93.184.216.34'])
      expect(isPublicAddress(address)).toBe(true);
  });
});
