import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, it } from '@jest/globals';
import { breakConnection, TcpProxy } from './tcp-proxy.ts';

async function startServer() {
  const connections: Socket[] = [];
  const server = createServer((socket) => {
    connections.push(socket.on('error', () => undefined).resume());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, connections, port: (server.address() as AddressInfo).port };
}

it.each([
  ['is open', () => undefined],
  ['is ending', (socket: Socket) => void socket.end()],
])('closes a connection that %s', async (_, before) => {
  const { server, port } = await startServer();
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  before(socket);
  breakConnection(socket);
  await once(socket, 'close');
  server.close();
  await once(server, 'close');
});

it('closes its connections before close() resolves', async () => {
  const { server, connections, port } = await startServer();
  const proxy = await TcpProxy.to(port);
  const client = connect(proxy.port, '127.0.0.1').on('error', () => undefined);
  client.write('hello');
  await once(server, 'connection');
  await proxy.close();
  server.close();
  await once(server, 'close');
  expect(connections.map(({ destroyed }) => destroyed)).toEqual([true]);
  if (!client.closed) await once(client, 'close');
});
