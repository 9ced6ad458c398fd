import { ConfigurationError, readConfig, type Config } from './environment.js';

/** The exit status for a wrong configuration, which a restart cannot fix (EX_CONFIG of sysexits.h). */
export const CONFIGURATION_EXIT_CODE = 78;

type Ending = Pick<NodeJS.Process, 'stderr' | 'exit'>;

/** Reads the configuration. An invalid one is reported on stderr and ends the process with status 78. */
export const readConfigOrExit = (): Config => orExit(readConfig);

/** Runs a reader of the environment. A {@link ConfigurationError} is reported on stderr and ends the process with 78. */
export function orExit<Value>(read: () => Value, ending: Ending = process): Value {
  try {
    return read();
  } catch (error) {
    return exitIfMisconfigured(error, ending);
  }
}

/** Reports a {@link ConfigurationError} on stderr and ends the process with 78. @throws any other error */
export function exitIfMisconfigured(error: unknown, ending: Ending = process): never {
  if (!(error instanceof ConfigurationError)) throw error;
  ending.stderr.write(`Pressroom cannot start with this configuration.\n${error.message}\n`);
  return ending.exit(CONFIGURATION_EXIT_CODE);
}
