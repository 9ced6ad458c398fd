// The entry of a text thread (see thread-pool.ts): each exported function is a task.

export { findQuote, judge } from './judge-claims.js';
