// The entry of a text thread (see thread-pool.ts): the exported functions are tasks.

export { citePages, citeSources } from './sources.js';
