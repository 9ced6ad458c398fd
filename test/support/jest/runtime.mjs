import Runtime from 'jest-runtime';

/** Packages that keep what one file of tests must not see of another: a hook for each file, the logger of a program. */
const withState = /\/node_modules\/(@testing-library|nestjs-pino)\//;
const isShared = (key) => key.includes('/node_modules/') && !withState.test(key);

/** Modules by path or address: a file's own ones, and those of packages, which all files of an environment share. */
class Modules extends Map {
  constructor(shared) {
    super();
    this.shared = shared;
  }
  get(key) {
    return isShared(key) ? this.shared.get(key) : super.get(key);
  }
  has(key) {
    return isShared(key) ? this.shared.has(key) : super.has(key);
  }
  set(key, module) {
    if (!isShared(key)) return super.set(key, module);
    this.shared.set(key, module);
    return this;
  }
}

/** The shared modules of each environment, by its context. */
const sharedModules = new WeakMap();

/**
 * Jest's runtime, which loads a package once for each environment instead of once for each file: with the modules of one
 * file, Jest spends a fifth of a run on loading them again.
 */
export default class SharedPackagesRuntime extends Runtime {
  constructor(config, environment, ...rest) {
    super(config, environment, ...rest);
    const context = environment.getVmContext();
    const shared = sharedModules.get(context) ?? { commonJs: new Map(), es: new Map() };
    sharedModules.set(context, shared);
    this.registries.moduleRegistry = new Modules(shared.commonJs);
    this.registries.esModuleRegistry = new Modules(shared.es);
    // A package's later import() goes through the runtime of the file that loaded it first, which has ended then.
    this.testState.throwIfBetweenTests = () => {};
    this.testState.teardown = () => {};
  }
}

// Jest loads it with require().
export const __esModule = true;
