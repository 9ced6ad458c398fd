import type { QueryRunner } from 'typeorm';
import { Migration } from './migration.js';

/** The name of the model that made a creation. */
export class CreationModels1700000000017 extends Migration {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE creations ADD COLUMN model text`);
  }
}
