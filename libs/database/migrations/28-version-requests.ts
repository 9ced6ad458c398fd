import { statements } from './migration.js';

/** The request that saved a version, by which its Idempotency-Key is told from that of another request. */
export class VersionRequests1700000000028 extends statements(
  `ALTER TABLE creation_versions ADD COLUMN request_hash text`,
) {}
