import { claimJob } from '../functions/claim-job.sql.js';
import { othersWait } from '../functions/others-wait.sql.js';
import { statements } from './migration.js';

export class ClaimJob1700000000031 extends statements(othersWait, claimJob) {}
