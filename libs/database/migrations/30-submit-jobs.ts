import type { QueryRunner } from 'typeorm';
import { chargeCredits } from '../functions/charge-credits.sql.js';
import { storageUse } from '../functions/storage-use.sql.js';
import { submitJobs } from '../functions/submit-jobs.sql.js';
import { Migration } from './migration.js';

export class SubmitJobs1700000000030 extends Migration {
  async up(runner: QueryRunner): Promise<void> {
    for (const definition of [storageUse, chargeCredits, submitJobs]) await runner.query(definition);
  }
}
