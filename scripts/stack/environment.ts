import { resolve } from 'node:path';
import type { Config } from '#libs/config/environment.js';
import type { DataFolder } from './data-folder.ts';
import { inRoot } from './root.ts';
import { Refusal } from './terminal.ts';

export type Environment = Record<string, string | undefined>;

/** Reads `.env` in the project's root, if there is one; what the real environment has set wins. */
export function readEnvFile() {
  try {
    process.loadEnvFile(inRoot('.env'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** The data folder that the environment names, absolute. */
export const dataFolderPath = () => resolve(inRoot(), process.env.DATA_DIR?.trim() || '.data');

export interface Settings {
  /** As the programs will read it. */
  config: Config;
  /** What the programs are started with; the database's address is set once there is one. */
  environment: Environment;
  /** Whether there is no DATABASE_URL, so that the embedded database is needed. */
  embedded: boolean;
}

/**
 * The environment of the programs: this one, with what a start on one machine can add. Needs the servers to be built.
 * @throws Refusal that names each variable that is wrong
 */
export async function readSettings(folder: DataFolder): Promise<Settings> {
  const { ConfigurationError, isLoopback, readConfig } = await import('#libs/config/environment.js');
  const given = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value?.trim()));
  const loopback = isLoopback(given.HOST?.trim() ?? '127.0.0.1');
  const environment: Environment = {
    NODE_ENV: 'production',
    AUTH_SECRET: folder.secret('auth-secret'),
    ...(loopback ? { PLAN_SWITCH: 'self' } : {}),
    ...given,
    DATA_DIR: folder.path,
  };
  const embedded = !given.DATABASE_URL;
  try {
    const config = readConfig({
      ...environment,
      ...(embedded ? { DATABASE_URL: 'postgres://127.0.0.1/pressroom' } : {}),
    });
    return { config, environment, embedded };
  } catch (error) {
    if (error instanceof ConfigurationError)
      throw new Refusal(`Pressroom cannot start with this configuration.\n${error.message}`);
    throw error;
  }
}
