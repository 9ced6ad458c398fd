import type { QueryRunner } from 'typeorm';

/** Thrown if a migration must not run now. */
export class MigrationRefused extends Error {
  override name = 'MigrationRefused';
}

/** @throws MigrationRefused if a program of another version is connected to this database */
export async function requireNoRunningProgram(runner: QueryRunner): Promise<void> {
  const programs = (await runner.query(
    `SELECT DISTINCT application_name AS name FROM pg_stat_activity
     WHERE datname = current_database() AND application_name LIKE 'pressroom-%'
       AND application_name <> 'pressroom-migrate' ORDER BY 1`,
  )) as { name: string }[];
  if (programs.length === 0) return;
  const names = programs.map(({ name }) => name).join(', ');
  throw new MigrationRefused(
    `This upgrade renames tables that the running version uses: stop it first (still connected: ${names}).`,
  );
}
