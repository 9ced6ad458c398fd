import Runtime from 'jest-runtime';

/** These keep something of one test file that the next must not have: hooks of Jest, and the logger of a whole program. */
const loadedForEachFile = /\/node_modules\/(@testing-library|nestjs-pino)\//;
const isShared = (key) => key.includes('/node_modules/') && !loadedForEachFile.test(key);

/** A registry of modules by path or URL: those of packages are shared between files, all others belong to one file. */
class ModuleRegistry extends Map {
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
  delete(key) {
    return isShared(key) ? this.shared.delete(key) : super.delete(key);
  }
}

/** The shared modules, by the context of their environment. */
const sharedModules = new WeakMap();

/**
 * Jest's runtime, except that a package is loaded once for each environment, not for each test file: in one worker, 38 files
 * of the api take 76 s instead of 111 s. It sets fields that jest-runtime does not document, hence the exact version.
 */
export default class SharedPackagesRuntime extends Runtime {
  constructor(config, environment, ...rest) {
    super(config, environment, ...rest);
    const context = environment.getVmContext();
    const shared = sharedModules.get(context) ?? { commonJs: new Map(), es: new Map() };
    sharedModules.set(context, shared);
    this.registries.moduleRegistry = new ModuleRegistry(shared.commonJs);
    this.registries.esModuleRegistry = new ModuleRegistry(shared.es);
    // import() in a package goes through the runtime of the file that loaded it first, also once that file has ended.
    this.testState.throwIfBetweenTests = () => {};
    this.testState.teardown = () => {};
  }
}

// Jest loads it with require().
export const __esModule = true;
