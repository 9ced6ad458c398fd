import { FirstJob1700000000001 } from './1-first-job.js';
import { LocalAccounts1700000000002 } from './2-local-accounts.js';

/** Every migration, in order. */
export const migrations = { FirstJob1700000000001, LocalAccounts1700000000002 };
