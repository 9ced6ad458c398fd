import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { testDatabase, type TestDatabase } from '../../test/support/database.js';
import { openDataSource } from './data-source.js';

/** Before the database: breaks the first connections off, then passes everything on. */
let database: TestDatabase;
let server: Server;
let asked = 0;
let broken = 0;

beforeAll(async () => {
  database = await testDatabase();
  const { hostname, port } = new URL(database.url);
  server = createServer((socket) => {
    asked += 1;
    socket.on('error', () => undefined);
    if (asked <= broken) return void socket.destroy();
    const through = connect(Number(port), hostname);
    through.on('error', () => socket.destroy());
    socket.pipe(through).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  server.close();
  await database.drop();
});

const open = () => {
  asked = 0;
  const url = new URL(database.url);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return openDataSource({ url: url.toString(), poolSize: 1 });
};

it('asks again for a database that is being started', async () => {
  broken = 2;
  const dataSource = await open();
  expect(await dataSource.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  expect(asked).toBe(3);
  await dataSource.destroy();
});

it('gives up on one that stays away, so that whoever runs the program learns of it', async () => {
  broken = Infinity;
  await expect(open()).rejects.toThrow(/terminated|ECONNRESET/);
  expect(asked).toBe(5);
});
