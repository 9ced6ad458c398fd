import type { QueryRunner } from 'typeorm';
import { Migration } from './migration.js';

/** Uploads that are kept with their batch, to compare and edit its results. */
export class BatchOriginals1700000000044 extends Migration {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // NOT VALID avoids a long lock. The rows are checked afterwards, under a lock that lets others write.
    await runner.query(
      `ALTER TABLE objects DROP CONSTRAINT IF EXISTS objects_kind, ADD CONSTRAINT objects_kind
         CHECK (kind IN ('upload', 'image', 'thumbnail', 'document', 'picture', 'version', 'original')) NOT VALID`,
    );
    await runner.query(`SET statement_timeout = 0`);
    await runner.query(`ALTER TABLE objects VALIDATE CONSTRAINT objects_kind`);
    await runner.query(`RESET statement_timeout`);
  }
}
