import type { QueryRunner } from 'typeorm';
import { createConcurrently, Migration } from './migration.js';

/** Counts of a user's creations by type, which the dashboard shows, without reading the creations. */
export class CreationTypes1700000000032 extends Migration {
  transaction = false;

  up(runner: QueryRunner): Promise<void> {
    return createConcurrently(runner, {
      creations_types: 'creations (user_id, type) WHERE deleted_at IS NULL',
    });
  }
}
