import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

const { createContext } = vm;
let environment;

/** Where TypeORM keeps the entities that a file declared. */
const TYPEORM = 'typeormMetadataArgsStorage';

/**
 * Jest's environment of Node, once for all files of a worker, so that packages can be shared between them (runtime.mjs). Each
 * file finds the globals and the process, its variables and its listeners, as the first one did.
 */
export default class NodeEnvironment extends TestEnvironment {
  constructor(...options) {
    if (environment) return environment;
    // Globals of a usual context are looked up through an interceptor, which takes a tenth of the tests' time.
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

/** Packages define some when they are loaded, such as Path2D. */
const isKept = (object, key) => object === environment.global && typeof key === 'string' && key !== TYPEORM;

function restoreProperties(object, properties) {
  for (const key of Reflect.ownKeys(object))
    if (!Object.hasOwn(properties, key) && !isKept(object, key)) Reflect.deleteProperty(object, key);
  for (const [key, property] of Object.entries(properties))
    if (property.configurable) Object.defineProperty(object, key, property);
}

// Jest loads it with require().
export const __esModule = true;
