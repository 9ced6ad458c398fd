import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa, type ResultPromise } from 'execa';
import { query } from '../../scripts/stack/query.ts';
import { startWatchdog, type Watchdog } from '../../scripts/stack/processes.ts';
import { inRoot } from '../../scripts/stack/root.ts';
import { findProgram } from './machine-programs.ts';
import { freePort } from './ports.ts';
import { until } from './until.ts';

export interface TestPgBouncer {
  /** A `postgres://` address of the database behind it. */
  url: string;
  restart: () => Promise<void>;
  stop: () => Promise<void>;
}

/**
 * Starts a PgBouncer in front of a test's database, with the settings of docs/operations.md.
 * @param poolSize connections to PostgreSQL
 */
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
  const users = join(folder, 'userlist.txt');
  writeFileSync(users, `"${username}" "${decodeURIComponent(password)}"\n`);
  writeFileSync(
    settings,
    documentedSettings({
      pressroom: `host=${hostname} port=${serverPort} dbname=${pathname.slice(1)}`,
      listen_addr: '127.0.0.1',
      listen_port: String(port),
      auth_file: users,
      pool_mode: mode,
      default_pool_size: String(poolSize),
    }),
  );
  // PgBouncer does not run as root.
  chmodSync(folder, 0o755);
  const asUser = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const url = `postgres://${username}:${password}@127.0.0.1:${port}/pressroom`;
  let running: ResultPromise;
  let watchdog: Watchdog;
  const start = async () => {
    running = execa(program, [...asUser, settings], { stdio: 'ignore', reject: false });
    watchdog = startWatchdog(['kill', '-KILL', String(running.pid)]);
    await until('PgBouncer', () =>
      query(url, 'SELECT 1').then(
        () => true,
        ({ code }: { code?: string }) => code !== 'ECONNREFUSED',
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

/** The settings in docs/operations.md, with other values. */
function documentedSettings(values: Record<string, string>): string {
  const page = readFileSync(inRoot('docs/operations.md'), 'utf8');
  let settings = /```ini\n(\[databases\]\n[^`]*)```/.exec(page)![1]!;
  for (const [name, value] of Object.entries(values)) {
    const line = new RegExp(`^${name} = .*$`, 'm');
    if (!line.test(settings)) throw new Error(`docs/operations.md names no ${name} of PgBouncer.`);
    settings = settings.replace(line, () => `${name} = ${value}`);
  }
  return settings;
}
