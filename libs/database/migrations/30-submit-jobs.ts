import { chargeCredits } from '../functions/charge-credits.sql.js';
import { storageUse } from '../functions/storage-use.sql.js';
import { submitJobs } from '../functions/submit-jobs.sql.js';
import { statements } from './migration.js';

export class SubmitJobs1700000000030 extends statements(storageUse, chargeCredits, submitJobs) {}
