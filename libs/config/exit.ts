import { createDataFolder, dataFolderProblem } from './data-folder.js';
import { ConfigurationError, readConfig, type Config } from './environment.js';

/** Exit status for an invalid configuration (EX_CONFIG of sysexits.h). Tells supervisors that a restart cannot help. */
export const CONFIGURATION_EXIT_CODE = 78;

type Ending = Pick<NodeJS.Process, 'stderr' | 'exit'>;

/** Reads the configuration. If it is invalid, prints the error to stderr and ends the process with status 78. */
export const readConfigOrExit = (): Config => orExit(readConfig);

/** Creates the data folder or one in it. If this user cannot write there, says so and ends the process with status 78. */
export const createDataFolderOrExit = (path: string): void =>
  orExit(() => {
    try {
      createDataFolder(path);
    } catch (error) {
      throw new ConfigurationError(dataFolderProblem(path, error as Error));
    }
  });

/**
 * Calls `read`. If it throws a {@link ConfigurationError}, prints the error to stderr and ends the process with status 78.
 */
export function orExit<Value>(read: () => Value, ending: Ending = process): Value {
  try {
    return read();
  } catch (error) {
    return exitIfMisconfigured(error, ending);
  }
}

/** Prints a {@link ConfigurationError} to stderr and ends the process with status 78. @throws any other error */
export function exitIfMisconfigured(error: unknown, ending: Ending = process): never {
  if (!(error instanceof ConfigurationError)) throw error;
  ending.stderr.write(`Pressroom cannot start with this configuration.\n${error.message}\n`);
  return ending.exit(CONFIGURATION_EXIT_CODE);
}
