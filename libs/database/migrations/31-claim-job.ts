import type { QueryRunner } from 'typeorm';
import { claimJob } from '../functions/claim-job.sql.js';
import { othersWait } from '../functions/others-wait.sql.js';
import { Migration } from './migration.js';

export class ClaimJob1700000000031 extends Migration {
  async up(runner: QueryRunner): Promise<void> {
    for (const definition of [othersWait, claimJob]) await runner.query(definition);
  }
}
