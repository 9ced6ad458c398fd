import { expect, it } from '@jest/globals';

interface Environment {
  global: typeof globalThis & Record<string | symbol, unknown>;
  teardown: () => Promise<void>;
}

const options = [
  { projectConfig: { testEnvironmentOptions: {}, globals: {}, fakeTimers: {} }, globalConfig: {} },
  { console, docblockPragmas: {}, testPath: '' },
];

it('is one for all files, and restores what a file changed', async () => {
  // Plain JavaScript, as Jest loads it.
  const path = './node-environment.mjs';
  const { default: NodeEnvironment } = (await import(path)) as {
    default: new (...options: unknown[]) => Environment;
  };
  const first = new NodeEnvironment(...options);
  const { global } = first;
  const { process, fetch } = global;
  const { argv } = process;
  const home = process.env.HOME;

  const left = Symbol('left by a file');
  global[left] = true;
  global.typeormMetadataArgsStorage = {};
  global.definedByPackage = 'kept';
  global.fetch = () => Promise.reject(new Error('Offline.'));
  process.env.LEFT = 'yes';
  process.env.HOME = '/nowhere';
  process.argv = [];
  process.on('SIGUSR2', () => undefined);
  await first.teardown();

  const next = new NodeEnvironment(...options);
  expect(next).toBe(first);
  expect(left in global).toBe(false);
  expect(global).not.toHaveProperty('typeormMetadataArgsStorage');
  expect(global.definedByPackage).toBe('kept');
  expect(global.fetch).toBe(fetch);
  expect(process.env).not.toHaveProperty('LEFT');
  expect(process.env.HOME).toBe(home);
  expect(process.argv).toBe(argv);
  expect(process.listenerCount('SIGUSR2')).toBe(0);
});
