import { Command, CommanderError } from 'commander';
import { ConfigurationError } from '#libs/config/environment.js';
import { CONFIGURATION_EXIT_CODE } from '#libs/config/exit.js';
import { AppError } from '#libs/contract/errors.js';
import { isDatabaseAway } from '#libs/database/sql.js';
import { fileCommands } from './file-commands.js';
import { jobCommands } from './job-commands.js';
import { userCommands } from './user-commands.js';
import { queueCommands } from './queue-commands.js';

/** Where a command reads and writes; the process's own outside of tests. */
export interface Terminal {
  environment: Record<string, string | undefined>;
  write(text: string): void;
  complain(text: string): void;
}

/** Exit statuses: done, refused, a command line that makes no sense, and (78) a wrong configuration. */
const DONE = 0;
const REFUSED = 1;
const MISUSED = 2;

const ownTerminal: Terminal = {
  environment: process.env,
  write: (text) => process.stdout.write(text),
  complain: (text) => process.stderr.write(text),
};

/**
 * Runs one operator command. It works on the database and the queue themselves, so no api needs to run.
 * @param words the command line after the program's name
 * @returns the exit status
 */
export async function runCli(words: string[], terminal: Terminal = ownTerminal): Promise<number> {
  const program = new Command('npm run cli --')
    .description('Operator commands of Pressroom.')
    .configureOutput({
      writeOut: (text) => terminal.write(text),
      writeErr: (text) => terminal.complain(text),
    })
    .exitOverride();
  userCommands(program, terminal);
  jobCommands(program, terminal);
  queueCommands(program, terminal);
  fileCommands(program, terminal);
  try {
    await program.parseAsync(words, { from: 'user' });
    return DONE;
  } catch (error) {
    return explain(error, terminal);
  }
}

function explain(error: unknown, terminal: Terminal): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : MISUSED;
  if (error instanceof ConfigurationError) {
    terminal.complain(`${error.message}\n`);
    return CONFIGURATION_EXIT_CODE;
  }
  if (error instanceof AppError) terminal.complain(`${error.message}\n`);
  else if (isDatabaseAway(error))
    terminal.complain('The database that DATABASE_URL names does not answer.\n');
  else terminal.complain(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return REFUSED;
}
