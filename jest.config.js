/** Unit and integration tests run on the TypeScript sources, as ES modules, through SWC. */
export default {
  testEnvironment: 'node',
  roots: [
    '<rootDir>/libs',
    '<rootDir>/web',
    '<rootDir>/api',
    '<rootDir>/worker',
    '<rootDir>/scripts',
    '<rootDir>/test',
  ],
  testMatch: ['**/*.test.ts'],
  // One database server and one build for the whole run, whichever files it runs.
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  // Suites start api and worker processes of their own; two at a time is what a small machine bears.
  maxWorkers: 2,
  // For whoever waits in vain: nothing that goes well needs it, also on a machine that is busy with other work.
  testTimeout: 120_000,
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', { swcrc: false, ...swc() }] },
  moduleNameMapper: {
    // A thread runs compiled code: Jest transforms nothing there.
    '^#libs/(.*/thread)\\.js$': '<rootDir>/dist/libs/$1.js',
    '^#libs/(.*)\\.js$': '<rootDir>/libs/$1.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
};

function swc() {
  return {
    jsc: {
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true },
      target: 'es2024',
      keepClassNames: true,
    },
    module: { type: 'es6' },
    sourceMaps: 'inline',
  };
}
