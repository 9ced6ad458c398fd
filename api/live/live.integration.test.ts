import { get } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { useInProcessProduct } from '../../test/support/in-process-product.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';

allowTimeForPrograms();

const product = useInProcessProduct();

const upgrade = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
};
const WEBSOCKET = '/socket.io/?EIO=4&transport=websocket';
const POLLING = '/socket.io/?EIO=4&transport=polling';

/** Status and headers of an answer, also if it upgrades the connection. */
const ask = (path: string, headers = {}) =>
  new Promise<{ status?: number; headers: Record<string, unknown> }>((resolve, reject) => {
    const request = get(`${product.origin}${path}`, { headers });
    const done = (answer: { statusCode?: number; headers: object }) => {
      resolve({ status: answer.statusCode, headers: { ...answer.headers } });
      request.destroy();
    };
    request.on('response', done).on('upgrade', done).on('error', reject);
  });

describe('every answer at the path of sockets', () => {
  it.each([
    ['a handshake by polling', POLLING, {}, 200],
    ['an unknown transport', '/socket.io/?EIO=4&transport=pigeon', {}, 400],
    ['an unknown session', `${POLLING}&sid=nobody`, {}, 400],
    ['another version of the protocol', '/socket.io/?EIO=3&transport=polling', {}, 400],
    ['a WebSocket', WEBSOCKET, upgrade, 101],
    ['a WebSocket of an unknown session', `${WEBSOCKET}&sid=nobody`, upgrade, 400],
    ['a WebSocket of an unknown transport', '/socket.io/?EIO=4&transport=pigeon', upgrade, 400],
    ['a WebSocket without a key', WEBSOCKET, { ...upgrade, 'Sec-WebSocket-Key': 'short' }, 400],
    ['a WebSocket of an old version', WEBSOCKET, { ...upgrade, 'Sec-WebSocket-Version': '8' }, 400],
    ['a WebSocket of another site', WEBSOCKET, { ...upgrade, Origin: 'https://evil.example' }, 400],
    ['a WebSocket of a page without origin', WEBSOCKET, { ...upgrade, Origin: 'null' }, 400],
    ['a handshake by another site', POLLING, { Origin: 'https://evil.example' }, 403],
    ['a WebSocket with a protocol', WEBSOCKET, { ...upgrade, 'Sec-WebSocket-Protocol': ',,' }, 400],
  ])('has the usual headers: %s', async (_, path, headers, status) => {
    const answer = await ask(path, headers);
    expect(answer).toMatchObject({
      status,
      headers: {
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'strict-origin-when-cross-origin',
        'cross-origin-resource-policy': 'same-origin',
        'content-security-policy': expect.stringContaining("default-src 'self'"),
        'cache-control': 'no-store',
      },
    });
  });

  it('opens a WebSocket for a page of this address', async () => {
    expect(await ask(WEBSOCKET, { ...upgrade, Origin: product.origin })).toMatchObject({ status: 101 });
  });
});
