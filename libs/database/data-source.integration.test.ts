import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { ConfigurationError } from '#libs/config/configuration-error.js';
import { testDatabase, type TestDatabase } from '../../test/support/database.js';
import { until } from '../../test/support/until.ts';
import { ClientWithErrorListener } from './client-with-error-listener.js';
import { openDataSource, type WaitOptions } from './data-source.js';
import type { TimeLimits } from '#libs/config/database-limits.js';
import { isDatabaseUnavailable } from './sql.js';

/** A proxy to the database that breaks the first connections, then passes everything on. */
let database: TestDatabase;
let server: Server;
let connections = 0;
let broken = 0;
const sockets: Socket[] = [];
/** The connections of the proxy to the database. */
const throughs: Socket[] = [];
/** Bytes that the proxy sends together with the greeting of the first connection. */
let afterGreeting: Buffer | undefined;

interface Driver {
  master: { totalCount: number };
}

/** Protocol message ReadyForQuery, outside a transaction. */
const READY = Buffer.from('Z\0\0\0\x05I', 'latin1');

/** Protocol message ErrorResponse, as sent when PostgreSQL is shut down. */
function shutdownError(): Buffer {
  const fields = Buffer.from('SFATAL\0C57P01\0Mterminating connection\0\0', 'latin1');
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

beforeAll(async () => {
  Logger.overrideLogger(false);
  database = await testDatabase();
  const { hostname, port } = new URL(database.url);
  server = createServer((socket) => {
    connections += 1;
    sockets.push(socket);
    socket.on('error', () => undefined);
    if (connections <= broken) return void socket.destroy();
    const through = connect(Number(port), hostname);
    throughs.push(through);
    through.on('error', () => socket.destroy());
    socket.pipe(through);
    through.on('end', () => socket.end());
    through.on('data', (chunk) => {
      const isGreeting = chunk.subarray(-READY.length).equals(READY);
      socket.write(isGreeting && afterGreeting ? Buffer.concat([chunk, afterGreeting]) : chunk);
      if (isGreeting) afterGreeting = undefined;
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  server.close();
  await database.drop();
});

const open = (waiting?: WaitOptions, timeLimits?: TimeLimits) => {
  connections = 0;
  const url = new URL(database.url);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return openDataSource({ url: url.toString(), poolSize: 1, timeLimits }, waiting);
};

it('retries while the database starts', async () => {
  broken = 2;
  const dataSource = await open();
  expect(await dataSource.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  expect(connections).toBe(3);
  await dataSource.destroy();
});

it('waits for a database that stays unavailable, and reports the wait', async () => {
  broken = 20;
  const calls: string[] = [];
  const whileUnavailable = async () => {
    calls.push('start');
    return async () => void calls.push('end');
  };
  const dataSource = await open({ retryEveryMs: 1, whileUnavailable });
  expect([connections, calls]).toEqual([21, ['start', 'end']]);
  await dataSource.destroy();
});

it.each<[string, (url: URL) => void, RegExp]>([
  ['name', (url) => (url.pathname = '/nobodys'), /^DATABASE_URL must hold .*"nobodys" does not exist\.$/],
  ['user', (url) => (url.username = 'nobody'), /^DATABASE_URL must hold .*nobody/],
])('gives up if the database keeps refusing the %s in the address', async (_, change, message) => {
  const url = new URL(database.url);
  change(url);
  const opening = openDataSource({ url: url.toString() }, { retryEveryMs: 1 });
  await expect(opening).rejects.toThrow(message);
  await expect(opening).rejects.toBeInstanceOf(ConfigurationError);
});

it('survives an error in the same bytes as the greeting of the database', async () => {
  broken = 0;
  const dataSource = await open();
  for (const socket of sockets) socket.destroy();
  await until('the pool to notice', () => (dataSource.driver as unknown as Driver).master.totalCount === 0);
  afterGreeting = shutdownError();
  const error: unknown = await dataSource.query('SELECT 1 AS one').catch((reason: unknown) => reason);
  expect(isDatabaseUnavailable(error)).toBe(true);
  expect(await dataSource.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await dataSource.destroy();
});

it('closes a connection whose statement has no answer, because the server hangs, and no idle connection', async () => {
  const dataSource = await open({}, { statementMs: 4_000, lockMs: 4_000, graceMs: 1_000 });
  const runner = dataSource.createQueryRunner();
  const client = (await runner.connect()) as { connection: { stream: Socket } };
  client.connection.stream.emit('timeout');
  expect(await runner.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  throughs.at(-1)!.pause();
  const error: unknown = await runner.query('SELECT 1').catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'ETIMEDOUT' });
  expect(isDatabaseUnavailable(error)).toBe(true);
  await runner.release().catch(() => undefined);
  expect(await dataSource.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await dataSource.destroy();
});

it('reports a connection that broke in a transaction as an unavailable database', async () => {
  afterGreeting = undefined;
  const dataSource = await open();
  const runner = dataSource.createQueryRunner();
  await runner.startTransaction();
  await runner.release();
  const error: unknown = await runner.query('SELECT 1').catch((reason: unknown) => reason);
  expect(isDatabaseUnavailable(error)).toBe(true);
  await dataSource.destroy();
});

// BullMQ removes them when it closes its connection for LISTEN; an error in that moment ended a worker.
it('throws nothing for the error of a connection without listeners', async () => {
  const client = new ClientWithErrorListener({ connectionString: database.url });
  await client.connect();
  client.removeAllListeners();
  expect(() => client.emit('error', new Error('terminating connection'))).not.toThrow();
  client.removeAllListeners('error');
  expect(() => client.emit('error', new Error('terminating connection'))).not.toThrow();
  await client.end();
});
