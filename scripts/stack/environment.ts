import { resolve } from 'node:path';
import type { Config } from '#libs/config/environment.js';
import { readRunning, readSecret, type DataFolder } from './data-folder.ts';
import { inRoot } from './root.ts';
import { WrongConfiguration } from './terminal.ts';

export type Environment = Record<string, string | undefined>;

/** Reads `.env` in the project's root, if there is one. It does not override variables that are set. */
export function readEnvFile() {
  try {
    process.loadEnvFile(inRoot('.env'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

export const dataFolderPath = () => resolve(inRoot(), process.env.DATA_DIR?.trim() || '.data');

const setVariables = (): Environment =>
  Object.fromEntries(Object.entries(process.env).filter(([, value]) => value?.trim()));

/**
 * What a command for the Pressroom that runs on a data folder needs of it; set variables come first. Only these, if
 * `DATABASE_URL` is another database.
 */
export function readRunningSettings(path: string): Environment {
  const given = setVariables();
  const running = readRunning(path);
  if (!running?.databaseUrl || (given.DATABASE_URL && given.DATABASE_URL.trim() !== running.databaseUrl))
    return given;
  return {
    DATABASE_URL: running.databaseUrl,
    PUBLIC_URL: running.address,
    AUTH_SECRET: readSecret(path, AUTH_SECRET_FILE),
    ...given,
  };
}

const AUTH_SECRET_FILE = 'auth-secret';

export interface Settings {
  config: Config;
  /** For the programs, without the DATABASE_URL of the embedded database. */
  environment: Environment;
  /** True without DATABASE_URL: the embedded database is started. */
  embedded: boolean;
}

/** Adds the defaults of a start on one machine. Needs the servers to be built. @throws WrongConfiguration */
export async function readSettings(folder: DataFolder): Promise<Settings> {
  const { ConfigurationError, isLoopback, readConfig } = await import('#libs/config/environment.js');
  const given = setVariables();
  const loopback = isLoopback(given.HOST?.trim() ?? '127.0.0.1');
  const environment: Environment = {
    NODE_ENV: 'production',
    AUTH_SECRET: folder.secret(AUTH_SECRET_FILE),
    ...(loopback && !given.STRIPE_SECRET_KEY ? { PLAN_SWITCH: 'self' } : {}),
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
      throw new WrongConfiguration(`Pressroom cannot start with this configuration.\n${error.message}`);
    throw error;
  }
}
