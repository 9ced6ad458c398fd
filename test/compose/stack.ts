import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseEnv, promisify } from 'node:util';
import { inRoot } from '../../scripts/stack/root.ts';
import { CommandError } from '../../scripts/stack/terminal.ts';
import type { MailServer } from '../support/mail-server.ts';

const execute = promisify(execFile);

/** A random password or secret. */
export const secret = () => randomBytes(24).toString('hex');

/** `.env.example` with a secret for each variable that is empty, as its comments ask for. */
const filledExample = () =>
  parseEnv(readFileSync(inRoot('.env.example'), 'utf8').replace(/^\w+=$/gm, (line) => line + secret()));

/** Bytes of output that a command may write. */
const OUTPUT_AT_MOST = 64 * 1024 * 1024;

export interface Container {
  id: string;
  service: string;
}

/** One stack of docker-compose.yml, under a project name, passwords, volumes and a port of its own. */
export class Stack {
  readonly project = `pressroom-test-${process.pid}`;
  readonly origin: string;
  /** Takes the mails of the stack, if it sends any. */
  readonly mail: MailServer | null;
  private readonly environment: NodeJS.ProcessEnv;
  private readonly signal: AbortSignal;

  /** @param variables in addition to those of `.env.example` */
  constructor(
    port: number,
    variables: Record<string, string>,
    signal: AbortSignal,
    mail: MailServer | null = null,
  ) {
    this.origin = `http://localhost:${port}`;
    this.signal = signal;
    this.mail = mail;
    this.environment = {
      ...process.env,
      COMPOSE_PROJECT_NAME: this.project,
      // Not this machine's own .env.
      COMPOSE_DISABLE_ENV_FILE: '1',
      PRESSROOM_IMAGE: 'pressroom:test',
      PRESSROOM_PROXY_IMAGE: 'pressroom-proxy:test',
      ...filledExample(),
      PORT: String(port),
      ...variables,
    };
  }

  /**
   * Runs a program on this stack's settings.
   * @returns what it wrote to its standard output
   * @throws Error with all that it wrote
   */
  async run(
    program: string,
    args: string[],
    {
      environment = this.environment,
      always = false,
    }: { environment?: NodeJS.ProcessEnv; always?: boolean } = {},
  ): Promise<string> {
    try {
      const { stdout } = await execute(program, args, {
        cwd: inRoot(),
        env: environment,
        maxBuffer: OUTPUT_AT_MOST,
        ...(always ? {} : { signal: this.signal }),
      });
      return stdout;
    } catch (error) {
      const {
        stdout = '',
        stderr = '',
        message,
      } = error as { stdout?: string; stderr?: string; message: string };
      throw new Error(`${message}\n${stdout}${stderr}`, { cause: error });
    }
  }

  /** Changes variables for the containers that are created from now on. @returns the values before */
  set(variables: Record<string, string>): Record<string, string | undefined> {
    const before = Object.fromEntries(Object.keys(variables).map((name) => [name, this.environment[name]]));
    Object.assign(this.environment, variables);
    return before;
  }

  docker = (...args: string[]) => this.run('docker', args);
  compose = (...args: string[]) => this.run('docker', ['compose', ...args]);

  /** Runs a command without the variables that `.env` would set. */
  composeWithoutSettings(...args: string[]): Promise<string> {
    const { PATH, HOME, DOCKER_HOST, DOCKER_CONFIG } = process.env;
    const environment = { PATH, HOME, DOCKER_HOST, DOCKER_CONFIG, COMPOSE_DISABLE_ENV_FILE: '1' };
    return this.run('docker', ['compose', ...args], { environment });
  }

  up = (...args: string[]) => this.compose('up', '--detach', '--wait', '--wait-timeout', '180', ...args);

  /** Removes the stack with its data, also after a signal to stop. */
  async remove(): Promise<void> {
    await this.run(
      'docker',
      ['compose', '--profile', '*', 'down', '--volumes', '--remove-orphans', '--timeout', '5'],
      {
        always: true,
      },
    );
  }

  /** The containers of a service, or of all, that run or have ended. */
  async containers(...services: string[]): Promise<Container[]> {
    const text = await this.compose('ps', '--all', '--format', '{{.ID}} {{.Service}}', ...services);
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => {
        const [id = '', service = ''] = line.split(' ');
        return { id, service };
      });
  }

  async inspect<Value>(id: string, path: string): Promise<Value> {
    return JSON.parse(await this.docker('inspect', '--format', `{{json ${path}}}`, id)) as Value;
  }

  /** The rows of a query, each as a list of texts. */
  async sql(query: string): Promise<string[][]> {
    const args = ['--username=pressroom', '--dbname=pressroom', '--no-align', '--tuples-only', '--quiet'];
    const text = await this.compose('exec', '-T', 'postgres', 'psql', ...args, '--command', query);
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split('|'));
  }

  /** Ends the program of an api or a worker as the kernel does when memory is short: what started it gets no signal. */
  async kill({ id }: Container): Promise<void> {
    const command =
      'for pid in $(cat /proc/1/task/1/children); do kill -9 $(cat /proc/$pid/task/$pid/children); done';
    await this.docker('exec', id, 'sh', '-c', command);
  }

  /** The lines of the log files, also of removed containers, that match a regular expression, as docs/observability.md says. */
  async searchLogs(pattern: string): Promise<{ container: string; line: string }[]> {
    const text = await this.compose('exec', '-T', 'api', 'grep', '-rhE', pattern, '/logs');
    return text
      .split('\n')
      .filter(Boolean)
      .map((entry) => {
        const [, container = '', line = ''] = /^\S+ (\S+) (.*)$/.exec(entry) ?? [];
        return { container, line };
      });
  }
}

/** @throws CommandError when this machine has no Docker engine that answers, with compose */
export async function requireDocker(): Promise<void> {
  const asks = [
    [['compose', 'version'], 'docker compose (version 2.24 or later) is not installed'],
    [['info'], 'no Docker engine answers'],
  ] as const;
  for (const [args, problem] of asks) {
    await execute('docker', args).catch(() => {
      throw new CommandError(`The compose stack cannot be tested here: ${problem}.`);
    });
  }
}
