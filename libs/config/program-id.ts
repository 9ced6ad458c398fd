import { hostname } from 'node:os';

/** Names this process: host (or container) and process id. */
export const programId = `${hostname()}/${process.pid}`;
