// The entry of a text thread (see thread-pool.ts): the exported function is a task.

export { citeSources } from './sources.js';
