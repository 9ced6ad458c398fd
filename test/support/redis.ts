import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa, type ResultPromise } from 'execa';
import { Redis } from 'ioredis';
import { freePort } from './ports.ts';
import { startWatchdog, type Watchdog } from '../../scripts/stack/processes.ts';
import { findProgram } from './machine-programs.ts';

export interface TestRedis {
  url: string;
  /** Deletes everything. */
  flush: () => Promise<void>;
  /** Stops it, if it runs, and starts it again on the same port; empty, unless the settings store its data. */
  restart: () => Promise<void>;
  /** Stops it until `restart`. */
  leave: () => Promise<void>;
  /** Kills it. */
  kill: () => Promise<void>;
  stop: () => Promise<void>;
}

/** Starts a Redis of this test's own, which by default keeps nothing on disk. @param more settings by their names in redis.conf */
export async function startRedis(more: Record<string, string | number> = {}): Promise<TestRedis> {
  const program = findProgram('redis');
  if (!program) throw new Error('This suite needs redis-server on the path.');
  const folder = mkdtempSync(join(tmpdir(), 'pressroom-redis-'));
  const port = await freePort();
  const password = more.requirepass ? `:${more.requirepass}@` : '';
  const url = `redis://${password}127.0.0.1:${port}`;
  const settings = {
    port,
    bind: '127.0.0.1',
    dir: folder,
    save: '',
    appendonly: 'no',
    'maxmemory-policy': 'noeviction',
    ...more,
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  let server: ResultPromise;
  let watchdog: Watchdog;
  const start = async () => {
    server = execa(program, args, { stdio: 'ignore', reject: false });
    watchdog = startWatchdog(['kill', '-KILL', String(server.pid)]);
    await command(url, 'ping');
  };
  const stop = async (signal?: 'SIGKILL') => {
    server.kill(signal);
    await server;
    await watchdog.cancel();
  };
  await start();
  return {
    url,
    flush: () => command(url, 'flushall'),
    restart: async () => {
      await stop();
      await start();
    },
    leave: () => stop(),
    kill: () => stop('SIGKILL'),
    stop: async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function command(url: string, name: 'ping' | 'flushall') {
  const client = new Redis(url, { retryStrategy: () => 20, maxRetriesPerRequest: 1_500 });
  client.on('error', () => {});
  try {
    await client.call(name);
  } finally {
    client.disconnect();
  }
}
