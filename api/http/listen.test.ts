import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { listen, stopListening } from './listen.js';

const host = '127.0.0.1';
let port: number;
let server: Server;

async function start() {
  server = createServer((_request, response) => response.end('hello'));
  await listen(server, { port: 0, host });
  ({ port } = server.address() as AddressInfo);
}

afterEach(async () => {
  const stopped = stopListening(server);
  server.closeAllConnections();
  await stopped;
});

const get = async () => (await fetch(`http://${host}:${port}`)).text();

(process.platform === 'linux' ? it : it.skip)(
  'accepts several connections in an iteration of the event loop',
  async () => {
    await start();
    const count = 320;
    const connections = Array.from({ length: count }, () => connect(port, host));
    let accepted = 0;
    const all = Promise.withResolvers<void>();
    server.on('connection', () => {
      accepted += 1;
      if (accepted === count) all.resolve();
    });
    await once(server, 'connection');
    let iterations = 0;
    const countIteration = () => {
      iterations += 1;
      if (accepted < count) setImmediate(countIteration);
    };
    countIteration();
    await all.promise;
    expect(iterations).toBeLessThan(count / 4);
    for (const connection of connections) connection.destroy();
  },
);

it('rejects a port that another server has', async () => {
  await start();
  await expect(listen(createServer(), { port, host })).rejects.toThrow('PORT must hold a free port');
});

it('stops after the last answer, and frees the port', async () => {
  await start();
  const answers = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  let waiting = 0;
  server.removeAllListeners('request').on('request', (_request, response) => {
    waiting += 1;
    if (waiting === 20) arrived.resolve();
    void answers.promise.then(() => response.writeHead(200, { connection: 'close' }).end('late'));
  });
  const requests = Array.from({ length: 20 }, get);
  await arrived.promise;
  let isStopped = false;
  const stopped = stopListening(server).then(() => (isStopped = true));
  await expect(get()).rejects.toThrow('fetch failed');
  expect(isStopped).toBe(false);
  answers.resolve();
  expect(await Promise.all(requests)).toEqual(Array(20).fill('late'));
  await stopped;
});
