import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { TcpProxy } from '../../scripts/chaos/tcp-proxy.ts';
import { query } from '../../scripts/stack/query.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { freePort } from '../support/ports.ts';
import { startProcess } from '../support/process.ts';
import { until } from '../support/until.ts';
import { allowTimeForPrograms } from '../support/time-limits.ts';

allowTimeForPrograms();

/** The environment of a program that needs a database which does not answer. */
async function environment(): Promise<NodeJS.ProcessEnv> {
  const [port, nobodys] = [await freePort(), await freePort()];
  return {
    PORT: String(port),
    DATABASE_URL: `postgres://pressroom:hunter2@127.0.0.1:${nobodys}/pressroom`,
    AUTH_SECRET: '7d3f0b9c5a1e8642f0c7b3d95e1a6480',
  };
}

/** Passes connections to a port that refused them on to the database, as if it had been started by now. */
async function startDatabaseAt(address: string, database: TestDatabase): Promise<Server> {
  const { hostname, port } = new URL(database.url);
  const server = createServer((socket) => {
    const through = connect(Number(port), hostname);
    for (const one of [socket, through])
      one.on('error', () => [socket, through].map((each) => each.destroy()));
    socket.pipe(through).pipe(socket);
  }).listen(Number(new URL(address).port), '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const untilItWorks = (program: string, { PORT }: NodeJS.ProcessEnv, database: TestDatabase) =>
  program === 'api'
    ? until('it to be ready', () =>
        fetch(`http://127.0.0.1:${PORT}/health/ready`).then(
          ({ ok }) => ok,
          () => false,
        ),
      )
    : until('its slots', async () => (await query(database.url, 'SELECT FROM worker_slots')).rows.length > 0);

describe.each(['api', 'worker'])('The %s, started before its database', (program) => {
  it('logs that it waits, without a secret, and starts once the database is available', async () => {
    const database = await testDatabase();
    const variables = await environment();
    const unreachable = new URL(variables.DATABASE_URL!);
    const its = new URL(database.url);
    its.host = unreachable.host;
    const child = startProcess(`dist/${program}/main.js`, { ...variables, DATABASE_URL: its.href });
    await until('it to wait', () => /does not answer, waiting for it/.test(child.output()));
    const call = (path: string) => fetch(`http://127.0.0.1:${variables.PORT}${path}`);
    if (program === 'api') {
      expect((await call('/health/live')).status).toBe(200);
      const ready = await call('/health/ready');
      expect([ready.status, await ready.json()]).toEqual([
        503,
        expect.objectContaining({ message: 'Not ready: no answer from database (DATABASE_URL).' }),
      ]);
      const refused = await call('/api/user/account');
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
      expect(await refused.json()).toMatchObject({ success: false, code: 'UNAVAILABLE' });
    }

    const server = await startDatabaseAt(its.href, database);
    await untilItWorks(program, variables, database);
    expect(await child.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    await child.ended;
    const lines = child.output().trim().split('\n');
    const entries = lines.map((line) => JSON.parse(line) as { program: string });
    expect(entries.filter((line) => line.program !== program)).toEqual([]);
    if (program === 'api')
      expect(entries).toContainEqual(
        expect.objectContaining({ status: 503, code: 'UNAVAILABLE', address: '127.0.0.0/24' }),
      );
    if (its.password) expect(child.output()).not.toContain(its.password);
    server.close();
    await database.drop();
  });
});

it.each(['api', 'worker'])('The %s stops in time while its database hangs', async (program) => {
  const database = await testDatabase();
  const proxy = await TcpProxy.to(Number(new URL(database.url).port));
  const address = new URL(database.url);
  address.hostname = '127.0.0.1';
  address.port = String(proxy.port);
  const variables = { ...(await environment()), DATABASE_URL: address.href, SHUTDOWN_SECONDS: '8' };
  const child = startProcess(`dist/${program}/main.js`, variables);
  await untilItWorks(program, variables, database);
  proxy.stall();
  expect(await child.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  await proxy.close();
  await database.drop();
});

it('A worker that waits for its database ends at once on SIGTERM', async () => {
  const child = startProcess('dist/worker/main.js', await environment());
  await until('it to wait', () => /does not answer, waiting for it/.test(child.output()));
  expect(await child.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  await child.ended;
  expect(child.output()).not.toContain('hunter2');
});

it.each(['dist/api/main.js', 'dist/scripts/prepare.js'])(
  '%s, whose database keeps refusing it, ends with exit code 78',
  async (script) => {
    const database = await testDatabase();
    const address = new URL(database.url);
    address.pathname = '/nobodys';
    const child = startProcess(script, { ...(await environment()), DATABASE_URL: address.href });
    expect(await child.ended).toEqual({ code: 78, signal: null });
    expect(child.output()).toMatch(/\nDATABASE_URL must hold [^\n]*"nobodys" does not exist\.\n$/);
    await database.drop();
  },
);

/** Runs the migration of a deployment at this database, with a user and settings of its own. */
async function migrateAs(database: TestDatabase, sql: (name: string) => string[], search: string) {
  const address = new URL(database.url);
  const name = address.pathname.slice(1);
  for (const statement of sql(name)) await query(database.url, statement);
  const role = `role_${name}`;
  if (search) address.search = search;
  if (sql(name).some((statement) => statement.includes(role))) {
    address.username = role;
    address.password = 'f61c9be07d';
  }
  const child = startProcess('dist/scripts/prepare.js', {
    ...(await environment()),
    DATABASE_URL: address.href,
  });
  const end = await child.ended;
  return { code: end.code, output: child.output() };
}

it.each<[string, number, RegExp, (name: string) => string[], string]>([
  [
    'a user without permissions',
    78,
    /^DATABASE_URL must have a user who owns the tables [^\n]*: permission denied for [^\n]*\.$/m,
    (name) => [`CREATE ROLE role_${name} LOGIN PASSWORD 'f61c9be07d'`],
    '',
  ],
  [
    'read-only transactions',
    1,
    /^The database that DATABASE_URL names takes no writes: [^\n]* read-only transaction\. Give it [^\n]*\n$/,
    (name) => [
      `UPDATE migrations SET name = 'other' WHERE id = (SELECT max(id) FROM migrations)`,
      `ALTER DATABASE ${name} SET default_transaction_read_only = on`,
    ],
    '',
  ],
  [
    'a server without TLS',
    78,
    /^DATABASE_URL must hold [^\n]*: The server does not support SSL connections\.$/m,
    () => [],
    '?sslmode=verify-full',
  ],
])('A migration with %s says so in one line', async (_, code, message, sql, search) => {
  const database = await testDatabase();
  const result = await migrateAs(database, sql, search);
  expect(result.output).toMatch(message);
  expect(result.output).not.toMatch(/\n +at /);
  expect(result.code).toBe(code);
  const name = new URL(database.url).pathname.slice(1);
  await database.drop();
  await query(process.env.TEST_POSTGRES_URL!, `DROP ROLE IF EXISTS role_${name}`);
});

it('A migration says at once that its database does not answer, also if something else listens there', async () => {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const child = startProcess('dist/scripts/prepare.js', {
    ...(await environment()),
    DATABASE_URL: `postgres://pressroom:hunter2@127.0.0.1:${port}/pressroom`,
  });
  await until('it to wait', () =>
    child
      .output()
      .includes('Waiting: The database that DATABASE_URL names does not answer: timeout expired.'),
  );
  await child.kill('SIGTERM');
  for (const socket of sockets) socket.destroy();
  silent.close();
});

it('A migration names the variable whose database refuses it', async () => {
  const database = await testDatabase();
  const address = new URL(database.url);
  address.pathname = '/nobodys';
  const variables = {
    ...(await environment()),
    DATABASE_URL: database.url,
    DATABASE_DIRECT_URL: address.href,
  };
  const child = startProcess('dist/scripts/prepare.js', variables);
  expect(await child.ended).toEqual({ code: 78, signal: null });
  expect(child.output()).toMatch(/^DATABASE_DIRECT_URL must hold [^\n]*"nobodys" does not exist\.\n$/m);
  await database.drop();
});

describe.each(['dist/api/main.js', 'dist/worker/main.js', 'dist/scripts/prepare.js', 'dist/scripts/cli.js'])(
  '%s, with a wrong variable',
  (script) => {
    it('names it and ends with exit code 78', async () => {
      const args = script.endsWith('cli.js') ? ['jobs', 'list'] : [];
      for (const wrong of [{ DATABASE_URL: 'mysql://nowhere' }, { S3_BUCKET: 'alone' }]) {
        // Operator commands use no object store.
        if ('S3_BUCKET' in wrong && args.length > 0) continue;
        const child = startProcess(script, { ...(await environment()), ...wrong }, args);
        expect(await child.ended).toEqual({ code: 78, signal: null });
        expect(child.output()).toMatch(/DATABASE_URL must be|S3_ENDPOINT/);
      }
    });
  },
);

describe.each(['dist/api/main.js', 'dist/worker/main.js', 'dist/scripts/prepare.js'])('%s', (script) => {
  it('names DATA_DIR in one line if it cannot write there, and ends with exit code 78', async () => {
    const child = startProcess(script, { ...(await environment()), DATA_DIR: '/proc/pressroom' });
    expect(await child.ended).toEqual({ code: 78, signal: null });
    expect(child.output()).toMatch(
      /^DATA_DIR must hold a folder [^\n]* \/proc\/pressroom[^\n]*ENOENT[^\n]*\n$/m,
    );
    expect(child.output()).not.toMatch(/\n +at /);
  });

  it('says which variable a misspelt name may mean', async () => {
    const child = startProcess(script, { ...(await environment()), OPENAI_APIKEY: 'sk-6f0b' });
    await until('the line', () =>
      child.output().includes('OPENAI_APIKEY is not a variable of Pressroom; did you mean OPENAI_API_KEY?'),
    );
    await child.kill('SIGKILL');
    expect(child.output()).not.toContain('sk-6f0b');
  });
});

describe('An api whose port it cannot have', () => {
  it('names the port and PORT in one line, and ends with exit code 78', async () => {
    const database = await testDatabase();
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const variables = await environment();
    for (const DATABASE_URL of [database.url, variables.DATABASE_URL!]) {
      const child = startProcess('dist/api/main.js', { ...variables, DATABASE_URL, PORT: String(port) });
      expect(await child.ended).toEqual({ code: 78, signal: null });
      expect(child.output()).toMatch(
        new RegExp(`\\nPORT must hold a free port: [^\\n]* port ${port} of 127\\.0\\.0\\.1: [^\\n]*\\n$`),
      );
      expect(child.output()).not.toMatch(/Uncaught|\n +at /);
    }
    other.close();
    await database.drop();
  });

  it('names HOST if the address is another machine’s', async () => {
    const database = await testDatabase();
    const child = startProcess('dist/api/main.js', {
      ...(await environment()),
      DATABASE_URL: database.url,
      HOST: '192.0.2.1',
      LOCAL_ACCOUNTS: 'true',
    });
    expect(await child.ended).toEqual({ code: 78, signal: null });
    expect(child.output()).toMatch(/\nHOST must hold an address of this machine\. [^\n]*\n$/);
    await database.drop();
  });
});
