import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

const { createContext } = vm;
let environment;

/** The global in which TypeORM collects the entities that a file declares. */
const TYPEORM_METADATA = 'typeormMetadataArgsStorage';

/**
 * Jest's Node environment, but a single one for all test files of a worker, which share its packages (runtime.mjs). After each
 * file, its globals and its process (variables and listeners too) are restored.
 */
export default class NodeEnvironment extends TestEnvironment {
  constructor(...options) {
    if (environment) return environment;
    // A context that is not contextified looks globals up without an interceptor: 8 % less processor time for the api's files.
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(...options);
    } finally {
      vm.createContext = createContext;
    }
    const { process } = this.global;
    const objects = [this.global, process, process.env, process._events];
    this.before = objects.map((object) => ({ object, properties: Object.getOwnPropertyDescriptors(object) }));
    environment = this;
  }

  async teardown() {
    this.fakeTimersModern.dispose();
    for (const { object, properties } of this.before) restoreProperties(object, properties);
  }
}

/** Globals that packages define when they are loaded, such as Path2D, stay. */
const isKept = (object, key) =>
  object === environment.global && typeof key === 'string' && key !== TYPEORM_METADATA;

function restoreProperties(object, properties) {
  for (const key of Reflect.ownKeys(object))
    if (!Object.hasOwn(properties, key) && !isKept(object, key)) Reflect.deleteProperty(object, key);
  for (const [key, property] of Object.entries(properties))
    if (property.configurable) Object.defineProperty(object, key, property);
}

// Jest loads it with require().
export const __esModule = true;
