import { describe, expect, it } from '@jest/globals';
import { ConfigurationError, isLoopback, readConfig, readMigrationConfig } from './environment.js';
import { orExit } from './exit.js';
import { ownOrigins } from './own-origins.js';

const needed = {
  DATABASE_URL: 'postgres://pressroom:dbpassword@localhost:5432/pressroom',
  AUTH_SECRET: '7d3f0b9c5a1e8642f0c7b3d95e1a6480',
};
const read = (variables: Record<string, string | undefined> = {}) => readConfig({ ...needed, ...variables });

/** Variables with a weak password each, and the message. */
const weakPasswords = [
  'a',
  'short77',
  'aaaaaaaabbbb',
  'abcdeabcde',
  'pressroom',
  'changeme',
  'postgres',
].flatMap((password) => {
  const cases: Record<string, string>[] = [
    { DATABASE_URL: `postgres://pressroom:${password}@postgres:5432/pressroom` },
    { REDIS_URL: `redis://pressroom:${password}@redis:6379` },
    { REDIS_CLUSTER_NODES: 'a:1', REDIS_CLUSTER_USERNAME: 'pressroom', REDIS_CLUSTER_PASSWORD: password },
    {
      ...{ S3_ENDPOINT: 'http://minio:9000', S3_BUCKET: 'pressroom' },
      ...{ S3_ACCESS_KEY: 'pressroom', S3_SECRET_KEY: password },
    },
  ];
  return cases.map((variables): [Record<string, string>, RegExp] => [
    variables,
    /^(DATABASE_URL|REDIS_URL|REDIS_CLUSTER_PASSWORD|S3_SECRET_KEY) must hold a password that is hard to guess/,
  ]);
});

describe('the configuration', () => {
  it('has the embedded defaults', () => {
    expect(read()).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: 'http://localhost:3000',
      trustedProxies: [],
      logLevel: 'info',
      queue: { kind: 'postgres' },
      storage: { kind: 'files' },
      ai: null,
      accounts: {
        kind: 'local',
        secret: needed.AUTH_SECRET,
        twoFactorFor: 'operators',
        isClientRegistrationOpen: false,
      },
      mail: null,
      planSwitch: false,
      rateLimits: {
        requests: 600,
        submissions: 120,
        previews: 20,
        versions: 20,
        signIn: 20,
        signUp: 20,
      },
    });
  });

  it('treats an empty variable as unset', () => {
    expect(read({ PORT: '', REDIS_URL: ' ', S3_BUCKET: '' })).toMatchObject({
      port: 3000,
      queue: { kind: 'postgres' },
    });
  });

  it.each([
    [
      { REDIS_URL: 'rediss://:d2f7c19a@cache:6380/1' },
      { queue: { kind: 'redis', url: 'rediss://:d2f7c19a@cache:6380/1' } },
    ],
    [
      { REDIS_CLUSTER_NODES: 'a:7000,b:7001' },
      {
        queue: {
          kind: 'redis-cluster',
          nodes: [
            { host: 'a', port: 7000 },
            { host: 'b', port: 7001 },
          ],
          password: undefined,
          tls: false,
        },
      },
    ],
    [
      {
        REDIS_CLUSTER_NODES: 'a:7000',
        REDIS_CLUSTER_USERNAME: 'pressroom',
        REDIS_CLUSTER_PASSWORD: 'p@ss:word/',
        REDIS_CLUSTER_TLS: 'true',
      },
      { queue: { kind: 'redis-cluster', username: 'pressroom', password: 'p@ss:word/', tls: true } },
    ],
    [
      {
        S3_ENDPOINT: 'http://minio:9000',
        S3_BUCKET: 'pressroom',
        S3_ACCESS_KEY: 'k',
        S3_SECRET_KEY: 'd2f7c19a',
      },
      { storage: { kind: 's3', bucket: 'pressroom', region: 'us-east-1' } },
    ],
    [
      { OPENAI_API_KEY: 'sk' },
      { ai: { main: { apiKey: 'sk', textModel: 'gpt-4.1-mini' }, fallback: null, breaker: { failures: 5 } } },
    ],
    [
      {
        OPENAI_API_KEY: 'sk',
        OPENAI_BASE_URL: 'http://llm:8000/v1',
        AI_TEXT_MODEL: 'big',
        AI_FALLBACK_API_KEY: 'other',
        AI_FALLBACK_IMAGE_MODEL: 'painter',
      },
      {
        ai: {
          main: { apiKey: 'sk', baseUrl: 'http://llm:8000/v1', textModel: 'big', imageModel: 'gpt-image-1' },
          fallback: { apiKey: 'other', baseUrl: undefined, textModel: 'big', imageModel: 'painter' },
        },
      },
    ],
    [{ METRICS_PORT: '9464' }, { metrics: { host: '127.0.0.1', port: 9464 }, otlpEndpoint: null }],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel:4318' },
      { metrics: null, otlpEndpoint: 'http://otel:4318' },
    ],
    [{ PUBLIC_URL: 'HTTPS://Pressroom.Example.com:443/' }, { publicUrl: 'https://pressroom.example.com' }],
    [{ HOST: '0.0.0.0', LOCAL_ACCOUNTS: 'true' }, { publicUrl: 'http://localhost:3000' }],
    [{ HOST: 'fd00::1', LOCAL_ACCOUNTS: 'true', PORT: '80' }, { publicUrl: 'http://[fd00::1]' }],
    [{ PLAN_SWITCH: 'self' }, { planSwitch: true }],
    [
      { REQUIRE_TWO_FACTOR: 'operators' },
      { accounts: expect.objectContaining({ twoFactorFor: 'operators' }) },
    ],
    [
      { WORKER_QUEUES: 'pdf, image,pdf', WORKER_CONCURRENCY: '3' },
      { worker: { queues: ['pdf', 'image'], concurrency: { text: 3, image: 3, pdf: 3 } } },
    ],
    [
      { WORKER_CONCURRENCY: 'image=2, pdf = 4' },
      { worker: { queues: ['text', 'image', 'pdf'], concurrency: { text: 8, image: 2, pdf: 4 } } },
    ],
    [
      { QUEUE_LIMIT_STANDARD: 'image=20', QUEUE_LIMIT_PREMIUM: 'image=50' },
      {
        jobs: {
          waitingAtMost: {
            standard: { text: 10_000, image: 20, pdf: 10_000 },
            premium: { text: 20_000, image: 50, pdf: 20_000 },
          },
        },
      },
    ],
    [
      { TRUSTED_PROXIES: 'loopback, 10.0.0.0/8,fd00::/8' },
      { trustedProxies: ['loopback', '10.0.0.0/8', 'fd00::/8'] },
    ],
  ])('reads %j', (variables, expected) => {
    expect(read(variables)).toMatchObject(expected);
  });

  it.each([
    [{ PORT: 'http' }, 'PORT must be a whole number from 0 to 65535.'],
    [{ PORT: '65536' }, 'PORT must be a whole number from 0 to 65535.'],
    [{ PORT: '80.5' }, 'PORT must be a whole number from 0 to 65535.'],
    [{ PORT: '0' }, 'PUBLIC_URL must hold the address for users when PORT is 0.'],
    [{ RATE_LIMIT_SIGN_IN: '0' }, 'RATE_LIMIT_SIGN_IN must be a whole number from 1 to 1000000.'],
    [{ WORKER_QUEUES: 'text,video' }, /^WORKER_QUEUES must be a list of queues.*text, image, pdf\.$/],
    [{ WORKER_QUEUES: ',' }, /^WORKER_QUEUES must be a list of queues/],
    ...[
      '0',
      '1.5',
      'text',
      'text=',
      'text=0',
      'text=1=2',
      'text=1,text=2',
      'video=1',
      'text=1000001',
      ',',
    ].map((text): [Record<string, string>, RegExp] => [
      { WORKER_CONCURRENCY: text },
      /^WORKER_CONCURRENCY must be a whole number from 1 to 1000000, or one for each queue, such as text=8,image=8,pdf=8\.$/,
    ]),
    [
      { QUEUE_LIMIT_STANDARD: '100', QUEUE_LIMIT_PREMIUM: 'text=100,image=99,pdf=200' },
      'QUEUE_LIMIT_PREMIUM must be at least QUEUE_LIMIT_STANDARD in each queue; for image jobs it is less.',
    ],
    [{ QUEUE_LIMIT_PREMIUM: 'many' }, /^QUEUE_LIMIT_PREMIUM must be a whole number/],
    [{ STANDARD_WAIT_SECONDS: '0' }, 'STANDARD_WAIT_SECONDS must be a whole number from 1 to 1000000.'],
    [{ UV_THREADPOOL_SIZE: '2' }, 'UV_THREADPOOL_SIZE must be a whole number from 4 to 1024.'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent.'],
    [{ LOCAL_ACCOUNTS: 'yes' }, 'LOCAL_ACCOUNTS must be true or false.'],
    [{ PUBLIC_URL: 'pressroom.example.com' }, /^PUBLIC_URL must be an address with a host/],
    [{ PUBLIC_URL: 'https://example.com/app' }, /^PUBLIC_URL must hold the origin alone/],
    [{ PUBLIC_URL: 'http://' }, /^PUBLIC_URL must be an address with a host/],
    [{ DATABASE_URL: 'postgres:///pressroom' }, /^DATABASE_URL must be an address with a host/],
    [{ DATABASE_URL: 'mysql://localhost/x' }, /^DATABASE_URL must be an address .*postgres:\/\//],
    ...['p@ss/word-7', 'pass#word-7', 'pass?word-7', '12/word-7', '12#word-7'].map(
      (password): [Record<string, string>, RegExp] => [
        { DATABASE_URL: `postgres://pressroom:${password}@db:5432/pressroom` },
        /^DATABASE_URL must be an address .*, in whose user and password @ is written as %40/,
      ],
    ),
    [
      { DATABASE_URL: `${needed.DATABASE_URL}?sslmode=verify-full&sslrootcert=/nowhere/ca.pem` },
      'DATABASE_URL must name a file in sslrootcert that can be read.',
    ],
    [{ REDIS_URL: 'redis://:a/b@redis:6379' }, /^REDIS_URL must be an address .*@ is written as %40/],
    [{ LOG_LEVEL: '"info"' }, 'LOG_LEVEL must be without the quotation marks around it.'],
    [{ DATABASE_URL: `'${needed.DATABASE_URL}'` }, /^DATABASE_URL must be without the quotation marks/],
    [
      { AUTH_SECRET: `"${needed.AUTH_SECRET}"` },
      'AUTH_SECRET must be without the quotation marks around it; if programs ran with them, give the secret with them to AUTH_SECRET_PREVIOUS.',
    ],
    [{ S3_ENDPOINT: 'https://s3.example.com/bucket' }, /^S3_ENDPOINT must hold the origin alone/],
    [{ DATABASE_URL: undefined }, /^DATABASE_URL must hold the address of a PostgreSQL database/],
    [{ REDIS_URL: 'redis://' }, /^REDIS_URL must be an address with a host/],
    [{ REDIS_URL: 'localhost:6379' }, /^REDIS_URL must be an address/],
    [
      { REDIS_URL: 'redis://a', REDIS_CLUSTER_NODES: 'a:1' },
      /^REDIS_URL and REDIS_CLUSTER_NODES are both set/,
    ],
    [
      { REDIS_CLUSTER_NODES: 'a:1,b' },
      'REDIS_CLUSTER_NODES must be a list of host:port, separated by commas.',
    ],
    [
      { REDIS_CLUSTER_NODES: 'a:70000' },
      'REDIS_CLUSTER_NODES must be a list of host:port, separated by commas.',
    ],
    [{ REDIS_CLUSTER_PASSWORD: 'p' }, /^REDIS_CLUSTER_NODES must be set when/],
    [{ REDIS_URL: 'redis://a', REDIS_CLUSTER_TLS: 'true' }, /^REDIS_CLUSTER_NODES must be set when/],
    [
      { REDIS_CLUSTER_NODES: 'a:1', REDIS_CLUSTER_USERNAME: 'u' },
      'REDIS_CLUSTER_PASSWORD must be set with REDIS_CLUSTER_USERNAME.',
    ],
    [{ REDIS_CLUSTER_NODES: 'a:1', REDIS_CLUSTER_TLS: 'yes' }, 'REDIS_CLUSTER_TLS must be true or false.'],
    [{ S3_ENDPOINT: 'http://minio:9000', S3_BUCKET: 'abc' }, /^S3_ACCESS_KEY, S3_SECRET_KEY must be set too/],
    [{ OPENAI_BASE_URL: 'http://llm:8000/v1' }, /^OPENAI_API_KEY must hold a key/],
    [
      { OPENAI_API_KEY: 'sk', AI_FALLBACK_BASE_URL: 'http://b/v1' },
      /^AI_FALLBACK_API_KEY must hold a key when/,
    ],
    [{ AI_FALLBACK_API_KEY: 'sk' }, /^OPENAI_API_KEY must hold a key when AI_FALLBACK_API_KEY is set/],
    [{ AI_BREAKER_FAILURES: '0' }, 'AI_BREAKER_FAILURES must be a whole number from 1 to 1000000.'],
    [{ PORT: '9464', METRICS_PORT: '9464' }, /^METRICS_PORT must be another port than PORT/],
    [{ METRICS_PORT: '0' }, 'METRICS_PORT must be a whole number from 1 to 65535.'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'otel:4318' }, /^OTEL_EXPORTER_OTLP_ENDPOINT must be an address/],
    [{ CLERK_SECRET_KEY: 'sk' }, /^CLERK_PUBLISHABLE_KEY must be set too/],
    [{ CLERK_JWT_KEY: 'pem' }, /^CLERK_PUBLISHABLE_KEY and CLERK_SECRET_KEY must be set/],
    [{ REQUIRE_TWO_FACTOR: 'everybody' }, 'REQUIRE_TWO_FACTOR must be nobody or operators.'],
    [{ HOST: '0.0.0.0' }, /^LOCAL_ACCOUNTS must be "true"/],
    [{ HOST: '127.evil.example' }, /^LOCAL_ACCOUNTS must be "true"/],
    [{ HOST: '0.0.0.0', LOCAL_ACCOUNTS: 'false' }, /^LOCAL_ACCOUNTS must be "true"/],
    [{ AUTH_SECRET: undefined }, /^AUTH_SECRET must hold at least 32 random characters/],
    [{ AUTH_SECRET: 'x'.repeat(32) }, /^AUTH_SECRET must be random/],
    [{ AUTH_SECRET: 'abcdefghijklmnopqrstuvwxyz012345' }, /^AUTH_SECRET must be random/],
    [{ AUTH_SECRET: 'change-this-to-32-random-letters' }, /^AUTH_SECRET must be random/],
    [{ AUTH_SECRET: 'abcabc '.repeat(10) }, /^AUTH_SECRET must be random/],
    [{ AUTH_SECRET: '12345678abcdefgh'.repeat(3) }, /^AUTH_SECRET must be random/],
    [{ AUTH_SECRET: `${'12345678abcdefgh'.repeat(2)}1234` }, /^AUTH_SECRET must be random/],
    [
      { AUTH_SECRET_PREVIOUS: needed.AUTH_SECRET },
      /^AUTH_SECRET_PREVIOUS must be another secret than AUTH_SECRET: give/,
    ],
    ...weakPasswords,
    [{ TRUSTED_PROXIES: '10.0.0.0/33' }, /^TRUSTED_PROXIES must be a list of addresses/],
    [{ TRUSTED_PROXIES: 'everybody' }, /^TRUSTED_PROXIES must be a list of addresses/],
  ])('refuses %j', (variables, message) => {
    expect(() => read(variables)).toThrow(ConfigurationError);
    expect(() => read(variables)).toThrow(message);
  });

  it('takes a weak secret that is being replaced, no password, and a weak one of this machine', () => {
    const weak = {
      AUTH_SECRET_PREVIOUS: 'a',
      DATABASE_URL: 'postgres://pressroom:a@localhost:5432/pressroom',
      REDIS_URL: 'redis://redis:6379',
    };
    expect(read(weak)).toMatchObject({ accounts: { previousSecret: 'a' }, queue: { url: weak.REDIS_URL } });
  });

  it('takes a previous secret in quotation marks, with which programs ran', () => {
    const previousSecret = `"${'7d3f0b9c5a1e8642'.repeat(2)}"`;
    expect(read({ AUTH_SECRET_PREVIOUS: previousSecret })).toMatchObject({ accounts: { previousSecret } });
  });

  it('takes special characters in a password, and an endpoint with a slash at its end', () => {
    const DATABASE_URL = 'postgres://pressroom:p%40%23%2F%3A%3F%25-7@[2001:db8::1]:5432/pressroom';
    const s3 = { S3_BUCKET: 'abc', S3_ACCESS_KEY: 'a', S3_SECRET_KEY: '5f0c9b1e7a' };
    expect(read({ DATABASE_URL, S3_ENDPOINT: 'https://s3.example.com/\n', ...s3 })).toMatchObject({
      databaseUrl: DATABASE_URL,
      storage: { endpoint: 'https://s3.example.com' },
    });
  });

  it('names every wrong variable at once', () => {
    expect(() => read({ PORT: 'x', JOB_ATTEMPTS: '-1', HOST: '"::1"' })).toThrow(
      /^HOST .*\nPORT .*\nJOB_ATTEMPTS /,
    );
  });

  it('never repeats what a variable holds', () => {
    const secrets = {
      DATABASE_URL: 'mysql://user:hunter2@db/x',
      AUTH_SECRET: 'hunter2',
      REDIS_URL: 'http://:hunter2@cache',
      PORT: 'hunter2',
      LOG_LEVEL: 'hunter2',
      PUBLIC_URL: 'https://user:hunter2@example.com',
    };
    let message = '';
    try {
      read(secrets);
    } catch (error) {
      ({ message } = error as Error);
    }
    for (const name of Object.keys(secrets)) expect(message).toContain(`${name} must`);
    expect(message).not.toContain('hunter2');
  });

  it('reads only the database for migrations, which need PostgreSQL itself', () => {
    const { DATABASE_URL } = needed;
    expect(readMigrationConfig({ DATABASE_URL })).toEqual({
      ...{ url: DATABASE_URL, variable: 'DATABASE_URL', pooling: 'session' },
    });
    const direct = 'postgres://pressroom@postgres:5432/pressroom';
    const transaction = { DATABASE_URL, DATABASE_POOLING: 'transaction' };
    expect(readMigrationConfig({ ...transaction, DATABASE_DIRECT_URL: direct })).toEqual({
      url: direct,
      variable: 'DATABASE_DIRECT_URL',
      pooling: 'transaction',
    });
    expect(() => readMigrationConfig(transaction)).toThrow(/^DATABASE_DIRECT_URL must hold/);
    expect(() => readMigrationConfig({ DATABASE_URL: 'localhost' })).toThrow(/^DATABASE_URL must be/);
    expect(() => readMigrationConfig({})).toThrow(/^DATABASE_URL must hold/);
  });

  it('takes transaction pooling with Redis only, since a queue in the database needs sessions', () => {
    const transaction = { ...needed, DATABASE_POOLING: 'transaction' };
    expect(() => readConfig(transaction)).toThrow(/^REDIS_URL must be set/);
    expect(readConfig({ ...transaction, REDIS_URL: 'redis://localhost' }).databasePooling).toBe(
      'transaction',
    );
  });

  it.each([
    ['localhost', true],
    ['127.0.0.1', true],
    ['127.8.9.1', true],
    ['::1', true],
    ['[::1]', true],
    ['0.0.0.0', false],
    ['127.evil.example', false],
    ['localhost.example', false],
  ])('knows whether only this machine reaches %s: %s', (host, expected) => {
    expect(isLoopback(host)).toBe(expected);
  });
});

describe('the own origins', () => {
  it('are all names of this machine on a loopback host', () => {
    const names = ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000'];
    expect(ownOrigins('http://localhost:3000')).toEqual(names);
    expect(ownOrigins('http://[::1]:3000')).toEqual(names);
  });

  it('are only the public address on other hosts', () => {
    expect(ownOrigins('https://pressroom.example.com')).toEqual(['https://pressroom.example.com']);
  });
});

describe('a program whose configuration is wrong', () => {
  const wrong = () => readConfig({ PORT: 'x' });

  it('says so on stderr and exits with 78', () => {
    const written: string[] = [];
    const ending = {
      stderr: { write: (text: string) => written.push(text) > 0 } as unknown as NodeJS.Process['stderr'],
      exit: (status: unknown): never => {
        throw new Error(`exit ${String(status)}`);
      },
    };
    expect(() => orExit(wrong, ending)).toThrow('exit 78');
    expect(written).toEqual([
      'Pressroom cannot start with this configuration.\nPORT must be a whole number from 0 to 65535.\n',
    ]);
  });

  it('does not hide an error of another kind', () => {
    const broken = () => {
      throw new TypeError('broken');
    };
    expect(() => orExit(broken)).toThrow(TypeError);
  });
});
