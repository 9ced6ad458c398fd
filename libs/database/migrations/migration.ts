import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A change of the schema. It is never reverted: the version before runs on the newer schema too. */
export abstract class Migration implements MigrationInterface {
  abstract up(runner: QueryRunner): Promise<void>;

  down(): Promise<void> {
    throw new Error('Migrations are not reverted: see docs/operations.md.');
  }
}
