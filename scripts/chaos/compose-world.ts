import { setTimeout as pause } from 'node:timers/promises';
import { requireDocker, Stack, type Container } from '../../test/compose/stack.ts';
import { startFakeProvider } from '../../test/provider/server.ts';
import { until } from '../../test/support/until.ts';
import { freePort } from '../stack/ports.ts';
import { print } from '../stack/terminal.ts';
import { faultNames, type Fault, type FaultName } from './plan.ts';
import { at } from '../stack/random.ts';
import settings from './settings.json' with { type: 'json' };
import { TcpProxy } from './tcp-proxy.ts';
import { ageRows, during, END_CONNECTIONS, forbiddenLines, inTurn, type World } from './world.ts';

/** Faults that containers cannot have: their clocks are the machine's, and a frozen service has stalled connections. */
const IMPOSSIBLE: FaultName[] = [
  'clockJump',
  'loseQueueEntries',
  'resetConnections',
  'stallConnections',
  'startBeforeDatabase',
];
const FAULTS = faultNames.filter((name) => !IMPOSSIBLE.includes(name));

/** Runs in a worker, because it can reach the store: prints the names of all objects. */
const LIST_OBJECTS = `import('minio').then(async ({ Client }) => {
  const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY: accessKey, S3_SECRET_KEY: secretKey } = process.env;
  const { hostname: endPoint, port, protocol } = new URL(S3_ENDPOINT);
  const client = new Client({ endPoint, port: Number(port), useSSL: protocol === 'https:', accessKey, secretKey, region: 'us-east-1' });
  for await (const { name } of client.listObjectsV2(S3_BUCKET, '', true)) console.log(name);
})`;

/** The end of a container's program, from Docker's events. */
interface Death {
  container: string;
  name: string;
  exitCode: number;
}

/** The stack of docker-compose.yml, with two apis and two workers. */
export async function startComposeWorld(signal: AbortSignal): Promise<World> {
  await requireDocker();
  const provider = await startFakeProvider({ defaults: { words: 60, vary: true } });
  const proxy = await TcpProxy.to(Number(new URL(provider.url).port), '0.0.0.0');
  const stack = new Stack(
    await freePort(),
    {
      ...settings,
      PRESSROOM_IMAGE: 'pressroom:chaos',
      PRESSROOM_PROXY_IMAGE: 'pressroom-proxy:chaos',
      MIN_FREE_DISK_MB: '64',
      APIS: '2',
      WORKERS: '2',
      OPENAI_API_KEY: 'any',
      OPENAI_BASE_URL: `http://host.docker.internal:${proxy.port}/v1`,
    },
    signal,
  );
  const world = new ComposeWorld(stack, proxy, async () => {
    await stack.remove();
    await proxy.close();
    await provider.close();
  });
  try {
    print('Building the images.');
    await stack.compose('build');
    await stack.up();
  } catch (error) {
    await world.close();
    throw error;
  }
  return world;
}

class ComposeWorld implements World {
  readonly name = 'compose';
  readonly origins: string[];
  readonly publicUrl: string;
  readonly faults = FAULTS;
  readonly close: () => Promise<void>;
  private readonly stack: Stack;
  private readonly provider: TcpProxy;
  private readonly began = Math.floor(Date.now() / 1_000);
  /** Number of intended ends of a container's program: by SIGTERM, and in all. */
  private readonly ends = new Map<string, { stopped: number; all: number }>();
  private text: Record<string, string> = {};
  private deaths: Death[] = [];

  constructor(stack: Stack, provider: TcpProxy, close: () => Promise<void>) {
    this.stack = stack;
    this.provider = provider;
    this.close = close;
    this.origins = [stack.origin];
    this.publicUrl = stack.origin;
  }

  async query<Row extends object>(sql: string): Promise<Row[]> {
    const json = `WITH found AS (${sql}) SELECT coalesce(json_agg(found), '[]') FROM found`;
    return until(
      'the database to answer',
      async () => {
        try {
          return JSON.parse(await this.psql(json)) as Row[];
        } catch (error) {
          // A wrong statement is not repeated.
          if (/syntax error|does not exist/.test((error as Error).message)) throw error;
          return null;
        }
      },
      { seconds: 120, every: 500 },
    );
  }

  private psql = (sql: string) =>
    this.stack.compose(
      ...['exec', '-T', 'postgres', 'psql', '--username=pressroom', '--dbname=pressroom'],
      ...['--no-align', '--tuples-only', '--quiet', '--set=ON_ERROR_STOP=1', '--command', sql],
    );

  async storedObjects(): Promise<string[]> {
    const text = await this.stack.compose('exec', '-T', 'worker', 'node', '-e', LIST_OBJECTS);
    return text.split('\n').filter(Boolean);
  }

  async queueEntries(): Promise<string[]> {
    const text = await this.redis('--scan', '--pattern', '{pressroom-*}:*');
    return text.split('\n').filter((key) => /:[0-9a-f]{8}-[0-9a-f-]{27}(:\w+)?$/.test(key.trim()));
  }

  private redis = (...args: string[]) => this.stack.compose('exec', '-T', 'redis', 'redis-cli', ...args);

  /** Searches all tables and logs. */
  async traces(texts: string[]): Promise<string[]> {
    const dump = await this.stack.compose(
      ...['exec', '-T', 'postgres', 'pg_dump', '--username=pressroom', '--data-only', 'pressroom'],
    );
    const places = { database: dump, ...this.text };
    return Object.entries(places).flatMap(([place, content]) =>
      texts.filter((text) => content.includes(text)).map((text) => `${place}: ${text}`),
    );
  }

  logs = () => this.text;

  problems(): string[] {
    const died = Map.groupBy(this.deaths, ({ container }) => container);
    const unexpected = [...died].flatMap(([container, deaths]) => {
      const { stopped, all } = this.ends.get(container) ?? { stopped: 0, all: 0 };
      const clean = deaths.filter(({ exitCode }) => exitCode === 0).length;
      const what = `${deaths[0]!.name} (exit codes ${deaths.map(({ exitCode }) => exitCode).join(', ')})`;
      return [
        ...(deaths.length > all ? [`${what} ended ${deaths.length} times, ${all} of them on purpose`] : []),
        ...(clean < stopped ? [`${what} did not exit with 0 on SIGTERM`] : []),
      ];
    });
    return [
      ...unexpected,
      ...Object.entries(this.text).flatMap(([name, text]) => forbiddenLines(name, text)),
    ];
  }

  async passTwoDays(): Promise<void> {
    await ageRows((sql) => this.query(sql));
    for (const worker of await this.stack.containers('worker')) await this.stop(worker, 0);
    await this.stack.up();
    await this.readLogs();
  }

  private async readLogs(): Promise<void> {
    for (const { id, service } of await this.stack.containers('api', 'worker'))
      this.text[`${service} ${id}`] = await this.stack.docker('logs', id);
    const events = await this.stack.docker(
      ...['events', '--since', String(this.began), '--until', String(Math.ceil(Date.now() / 1_000))],
      ...['--filter', 'event=die', '--format', '{{json .Actor}}'],
    );
    const ours = new Set((await this.stack.containers('api', 'worker')).map(({ id }) => id));
    this.deaths = events
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { ID: string; Attributes: { name: string; exitCode: string } })
      .map(({ ID, Attributes: { name, exitCode } }) => ({
        container: ID.slice(0, 12),
        name,
        exitCode: Number(exitCode),
      }))
      .filter(({ container }) => ours.has(container));
  }

  async inject({ name, lasting, share }: Fault): Promise<void> {
    const one = async (service: string) => at(await this.stack.containers(service), share)!;
    const faults: Partial<Record<FaultName, () => Promise<unknown>>> = {
      killApi: async () => this.kill(await one('api')),
      killWorker: async () => this.kill(await one('worker')),
      killWorkers: async () => Promise.all((await this.stack.containers('worker')).map(this.kill)),
      stopApi: async () => this.stop(await one('api'), 0),
      stopWorker: async () => this.stop(await one('worker'), 0),
      freezeApi: async () => this.freeze(await one('api'), lasting),
      freezeWorker: async () => this.freeze(await one('worker'), lasting),
      freezeDatabase: async () => this.freeze(await one('postgres'), lasting),
      freezeRedis: async () => this.freeze(await one('redis'), lasting),
      restartRedis: async () => this.stop(await one('redis'), lasting),
      stopStore: async () => this.stop(await one('minio'), lasting),
      crashDatabase: async () => this.crash(await one('postgres'), lasting),
      flushRedis: () => this.redis('FLUSHALL').catch(() => undefined),
      endDatabaseConnections: () => this.query(END_CONNECTIONS),
      refuseConnections: async () => this.disconnect(await one(share < 0.5 ? 'api' : 'worker'), lasting),
      stopProvider: async () => {
        this.provider.refuse();
        await pause(lasting);
        this.provider.restore();
      },
      diskFull: async () => this.fillDisk(await one(share < 0.5 ? 'api' : 'worker'), lasting),
    };
    await faults[name]?.();
  }

  private countEnd({ id }: Container, how: 'stopped' | 'killed'): void {
    const { stopped, all } = this.ends.get(id) ?? { stopped: 0, all: 0 };
    this.ends.set(id, { stopped: stopped + (how === 'stopped' ? 1 : 0), all: all + 1 });
  }

  /** Kills the program; Docker starts it again. */
  private kill = (container: Container) =>
    inTurn(container.id, async () => {
      this.countEnd(container, 'killed');
      // A starting container has no program to kill.
      await this.stack.kill(container).catch(() => undefined);
    });

  private restart = ({ id }: Container, lasting: number, end: () => Promise<unknown>) =>
    during(id, lasting, end, () => this.stack.docker('start', id));

  private stop = (container: Container, lasting: number) =>
    this.restart(container, lasting, () => {
      this.countEnd(container, 'stopped');
      return this.stack.docker('stop', container.id);
    });

  private crash = (container: Container, lasting: number) =>
    this.restart(container, lasting, () => this.stack.docker('kill', container.id));

  private freeze = (container: Container, lasting: number) =>
    during(
      container.id,
      lasting,
      () => this.stack.docker('pause', container.id).catch(() => undefined),
      () => this.stack.docker('unpause', container.id).catch(() => undefined),
    );

  /** Disconnects the container from the network of the services. */
  private disconnect = ({ id, service }: Container, lasting: number) => {
    const network = `${this.stack.project}_data`;
    return during(
      id,
      lasting,
      () => this.stack.docker('network', 'disconnect', '--force', network, id),
      () => this.stack.docker('network', 'connect', '--alias', service, network, id),
    );
  };

  /** Fills the file system to which the program writes. */
  private fillDisk = ({ id }: Container, lasting: number) => {
    const run = (command: string) =>
      this.stack.docker('exec', id, 'sh', '-c', command).catch(() => undefined);
    return during(
      id,
      lasting,
      () => run('cat /dev/zero > /tmp/full'),
      () => run('rm -f /tmp/full'),
    );
  };
}
