import { userInfo } from 'node:os';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { ConfigurationError } from '#libs/config/environment.js';
import { CONFIGURATION_EXIT_CODE } from '#libs/config/exit.js';
import { AppError } from '#libs/contract/errors.js';
import { isDatabaseRefused, unavailableMessage } from '#libs/database/data-source.js';
import {
  connectionProblem,
  isDatabaseUnavailable,
  isDeadlock,
  isStatementEnded,
} from '#libs/database/sql.js';
import { escapeControls } from '#libs/observability/control-characters.js';
import { accountCommands } from './account-commands.js';
import { auditCommands } from './audit-commands.js';
import { appCommands } from './app-commands.js';
import type { Terminal } from './command-line.js';
import { costCommands } from './cost-commands.js';
import { creationCommands } from './creation-commands.js';
import { doctorCommand } from './doctor-command.js';
import { fileCommands } from './file-commands.js';
import { keyCommands } from './key-commands.js';
import { jobCommands } from './job-commands.js';
import { userCommands } from './user-commands.js';
import { queueCommands } from './queue-commands.js';

/** Exit codes; a wrong configuration has 78. */
const SUCCESS = 0;
const FAILURE = 1;
const USAGE_ERROR = 2;
const MAX_OPERATOR_NAME = 100;

const processTerminal: Terminal = {
  environment: process.env,
  write: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
};

/** Runs one operator command on database and queue, without an api. @returns the exit code */
export async function runCli(args: string[], terminal: Terminal = processTerminal): Promise<number> {
  const named: Terminal = { ...terminal };
  // `npm run` sets this variable, a container does not.
  const isNpm = terminal.environment.npm_lifecycle_event !== undefined;
  const program = new Command(isNpm ? 'npm run cli --' : 'node dist/scripts/cli.js')
    .description('Operator commands of Pressroom.')
    .configureOutput({
      writeOut: (text) => terminal.write(text),
      writeErr: (text) => terminal.writeError(text),
    })
    .option(
      '--as <name>',
      'your name in the audit log; by default OPERATOR, or that of the system',
      operatorName,
    )
    .option(
      '--reason <text>',
      'why, for the audit log; shown to the user when the command suspends the account, changes credits, or hides or takes down a creation',
    )
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .hook('preAction', () => {
      const { as: name, reason } = program.opts<{ as?: string; reason?: string }>();
      // Compose passes an empty one on.
      named.operator = name ?? (terminal.environment.OPERATOR?.trim() || systemUser());
      if (reason !== undefined) named.reason = reason;
    });
  accountCommands(program, named);
  creationCommands(program, named);
  userCommands(program, named);
  jobCommands(program, named);
  queueCommands(program, named);
  fileCommands(program, named);
  keyCommands(program, named);
  appCommands(program, named);
  auditCommands(program, named);
  costCommands(program, named);
  doctorCommand(program, named);
  try {
    await program.parseAsync(args, { from: 'user' });
    return SUCCESS;
  } catch (error) {
    return report(error, terminal);
  }
}

/** @throws InvalidArgumentError for a name that tells nobody who it was, or breaks the lines of the log */
function operatorName(text: string): string {
  const name = text.trim();
  if (name !== '' && name.length <= MAX_OPERATOR_NAME && escapeControls(name) === name) return name;
  throw new InvalidArgumentError(
    `It must be a name of 1 to ${MAX_OPERATOR_NAME} characters, without line breaks.`,
  );
}

/** A process in a container may run as a user without a name there. */
export function systemUser(read: () => { username: string } = userInfo): string {
  try {
    return read().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

function report(error: unknown, terminal: Terminal): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? SUCCESS : USAGE_ERROR;
  if (error instanceof ConfigurationError) {
    terminal.writeError(`${error.message}\n`);
    return CONFIGURATION_EXIT_CODE;
  }
  if (error instanceof AppError) terminal.writeError(`${error.message}\n`);
  else if (isDatabaseRefused(error))
    terminal.writeError(
      `The database refuses the connection of DATABASE_URL: ${connectionProblem(error)}.\n`,
    );
  else if (isDatabaseUnavailable(error)) terminal.writeError(`${unavailableMessage(error)}\n`);
  else if (isStatementEnded(error) || isDeadlock(error))
    terminal.writeError('The database was busy for too long. `audit` lists what was changed; try again.\n');
  else terminal.writeError(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return FAILURE;
}
