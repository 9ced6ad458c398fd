import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa, type ResultPromise } from 'execa';
import { query } from '../../scripts/stack/query.ts';
import { startWatchdog, type Watchdog } from '../../scripts/stack/processes.ts';
import { findProgram } from './machine-programs.ts';
import { freePort } from './ports.ts';
import { until } from './until.ts';

export interface TestPgBouncer {
  /** A `postgres://` address of the database behind it. */
  url: string;
  restart: () => Promise<void>;
  stop: () => Promise<void>;
}

/** Starts a PgBouncer in front of a test's database. @param poolSize connections to PostgreSQL */
export async function startPgBouncer(
  databaseUrl: string,
  { mode, poolSize }: { mode: 'session' | 'transaction'; poolSize: number },
): Promise<TestPgBouncer> {
  const program = findProgram('pgbouncer');
  if (!program) throw new Error('This suite needs pgbouncer on the path.');
  const { hostname, port: serverPort, pathname, username, password } = new URL(databaseUrl);
  const folder = mkdtempSync(join(tmpdir(), 'pressroom-pgbouncer-'));
  const port = await freePort();
  const settings = join(folder, 'pgbouncer.ini');
  const server = `host=${hostname} port=${serverPort} user=${username} password=${decodeURIComponent(password)}`;
  writeFileSync(
    settings,
    `[databases]
${pathname.slice(1)} = ${server}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = ${poolSize}
max_client_conn = 500
server_login_retry = 1
ignore_startup_parameters = extra_float_digits
`,
  );
  // PgBouncer does not run as root.
  chmodSync(folder, 0o755);
  const asUser = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const url = `postgres://pressroom@127.0.0.1:${port}${pathname}`;
  let running: ResultPromise;
  let watchdog: Watchdog;
  const start = async () => {
    running = execa(program, [...asUser, settings], { stdio: 'ignore', reject: false });
    watchdog = startWatchdog(['kill', '-KILL', String(running.pid)]);
    await until('PgBouncer', () =>
      query(url, 'SELECT 1').then(
        () => true,
        () => false,
      ),
    );
  };
  const stop = async () => {
    running.kill('SIGKILL');
    await running;
    await watchdog.cancel();
  };
  await start();
  return {
    url,
    async restart() {
      await stop();
      await start();
    },
    async stop() {
      await stop();
      rmSync(folder, { recursive: true });
    },
  };
}
