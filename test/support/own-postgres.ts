import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../scripts/stack/database.ts';
import { ensureDatabase, startPostgres, type Postgres } from '../../scripts/stack/postgres.ts';

/** A PostgreSQL that a test can stop. */
export interface OwnPostgres {
  /** Stays the same through every crash. */
  url: string;
  /** Ends it without a checkpoint, as a crash of one of its processes does. */
  crash: () => void;
  /** Kills all its processes. */
  kill: () => void;
  /** Starts it again, and resolves when it accepts connections. */
  start: () => Promise<void>;
  /** Freezes all its processes: neither connections nor statements are answered. */
  freeze: () => void;
  thaw: () => void;
  stop: () => Promise<void>;
}

/**
 * Starts a PostgreSQL of this test's own, with a migrated database, behind an address that does not change.
 * @param settings by their names in postgresql.conf
 * @param dataFolder a folder for its data; default: a temporary one
 */
export async function startOwnPostgres(
  settings: Record<string, string> = {},
  dataFolder?: string,
): Promise<OwnPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'pressroom-own-postgres-'));
  const path = join(dataFolder ?? folder, 'postgres');
  const open = () => startPostgres({ path, logPath: join(folder, 'postgres.log'), settings });
  let postgres: Postgres = await open();
  await ensureDatabase(postgres, 'pressroom');
  await migrate(postgres.url('pressroom'), { PATH: process.env.PATH });

  // It has another port after each start; its clients connect to this one.
  const sockets = new Set<Socket>();
  const gate = createServer((client) => {
    const server = connect(Number(new URL(postgres.url('pressroom')).port), '127.0.0.1');
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => undefined);
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  await new Promise<void>((listening) => gate.listen(0, '127.0.0.1', listening));
  const url = new URL(postgres.url('pressroom'));
  url.port = String((gate.address() as AddressInfo).port);

  const signal = (name: NodeJS.Signals) => {
    for (const pid of processesOf(postgres)) sendSignal(pid, name);
  };
  let isFrozen = false;
  const thaw = () => {
    if (isFrozen) signal('SIGCONT');
    isFrozen = false;
  };
  return {
    url: url.href,
    crash: () => postgres.kill(),
    kill: () => {
      const processes = processesOf(postgres);
      postgres.kill('SIGKILL');
      for (const pid of processes) sendSignal(pid, 'SIGKILL');
    },
    start: async () => {
      await postgres.stop();
      postgres = await open();
    },
    freeze: () => {
      isFrozen = true;
      signal('SIGSTOP');
    },
    thaw,
    stop: async () => {
      gate.close();
      for (const socket of sockets) socket.destroy();
      thaw();
      await postgres.stop();
      for (const path of [folder, postgres.home]) rmSync(path, { recursive: true, force: true });
    },
  };
}

/** The postmaster and its children. Each child is the leader of a process group. */
function processesOf({ home }: Postgres): number[] {
  const postmaster = Number(readFileSync(join(home, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8');
  return [postmaster, ...children.split(' ').filter(Boolean).map(Number)];
}

function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has ended.
  }
}
