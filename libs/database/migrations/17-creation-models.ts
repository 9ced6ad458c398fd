import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The name of the model that made a creation. */
export class CreationModels1700000000017 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE creations ADD COLUMN model text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE creations DROP COLUMN model`);
  }
}
