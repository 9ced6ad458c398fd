/** Options of both projects: TypeScript sources run as ES modules, through SWC. */
const common = {
  roots: [
    '<rootDir>/libs',
    '<rootDir>/web',
    '<rootDir>/api',
    '<rootDir>/worker',
    '<rootDir>/scripts',
    '<rootDir>/test',
  ],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: {
    '^.+\\.ts$': ['@swc/jest', { swcrc: false, ...swc() }],
    '^.+\\.tsx$': ['@swc/jest', { swcrc: false, ...swcReact() }],
  },
  moduleNameMapper: {
    // A thread and a model's process run compiled code: Jest transforms nothing there.
    '^#libs/(.*/(?:thread|pdf-worker|model-program))\\.js$': '<rootDir>/dist/libs/$1.js',
    '^#libs/(.*)\\.js$': '<rootDir>/libs/$1.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '^@better-auth/utils/password$': '<rootDir>/test/support/passwords.ts',
    '\\.css$': '<rootDir>/test/web/no-styles.mjs',
    // All icons in one file: as ES modules they are over 2,000, linked anew for each test file.
    '^lucide-react$': '<rootDir>/node_modules/lucide-react/dist/cjs/lucide-react.js',
  },
};

const LONG = '\\.long\\.test\\.ts$';

/** One database server and one build for the whole run, whichever files it runs. */
const withDatabase = {
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
};

/**
 * Tests in `test/` and `*.integration.test.ts` beside the code need more than a Node.js process and its threads: PostgreSQL,
 * Redis, a browser, a pretrained model or another program. All other tests are unit tests. `*.long.test.ts` are suites of
 * either kind that take over 20 seconds.
 */
export default {
  projects: [
    {
      ...common,
      displayName: 'unit',
      testMatch: ['**/*.test.{ts,tsx}'],
      testPathIgnorePatterns: ['<rootDir>/test/', '\\.integration\\.test\\.ts$', LONG],
      globalSetup: '<rootDir>/test/support/unit-setup.ts',
    },
    {
      ...common,
      displayName: 'integration',
      ...withDatabase,
      testMatch: ['<rootDir>/test/**/*.test.ts', '**/*.integration.test.ts'],
      testPathIgnorePatterns: [LONG],
    },
    {
      ...common,
      displayName: 'long',
      ...withDatabase,
      testMatch: ['**/*.long.test.ts'],
    },
  ],
  testSequencer: '<rootDir>/test/support/sequencer.mjs',
  // Suites that start programs wait for them much of the time: three at a time keep two processor cores busy. With four,
  // each takes two to eight times as long, and the whole no less.
  maxWorkers: 3,
  // Modules of ES are never collected: a worker that has grown so large is replaced between two files.
  workerIdleMemoryLimit: '1GB',
  // Freeing such a heap takes seconds on a busy machine; a worker with an open handle never exits, and is reported.
  workerGracefulExitTimeout: 15_000,
  // Ten times what the slowest needs on an idle machine, and longer than `until` waits, which says what for. Suites that start
  // programs or browsers have a longer one: test/support/time-limits.ts.
  testTimeout: 160_000,
};

function swc() {
  return {
    jsc: {
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true },
      target: 'es2024',
      keepClassNames: true,
      experimental: { keepImportAttributes: true },
    },
    module: { type: 'es6' },
    sourceMaps: true,
  };
}

function swcReact() {
  const { jsc, ...rest } = swc();
  return {
    ...rest,
    jsc: {
      ...jsc,
      parser: { syntax: 'typescript', tsx: true },
      transform: { react: { runtime: 'automatic' } },
    },
  };
}
