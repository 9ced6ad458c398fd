import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Links by which users share their texts. */
export class CreationShares1700000000033 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE creation_shares (
        token text PRIMARY KEY,
        creation_id uuid NOT NULL UNIQUE REFERENCES creations (id) ON DELETE CASCADE,
        content text,
        created_at timestamptz(3) NOT NULL DEFAULT now())`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE creation_shares`);
  }
}
