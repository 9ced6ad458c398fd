import type { DataSource } from 'typeorm';

/** @returns the statements that would make the schema that of the entities */
export async function findSchemaDifferences(database: DataSource): Promise<string[]> {
  queryInTurn(database);
  const { upQueries } = await database.driver.createSchemaBuilder().log();
  return upQueries.map(({ query }) => query);
}

/** TypeORM's schema builder reads many tables on one connection at once, of which the driver warns. */
function queryInTurn(database: DataSource): void {
  const createQueryRunner = database.createQueryRunner.bind(database);
  database.createQueryRunner = (mode) => {
    const runner = createQueryRunner(mode);
    const query = runner.query.bind(runner) as (...statement: unknown[]) => Promise<unknown>;
    let last: Promise<unknown> = Promise.resolve();
    runner.query = (...statement: unknown[]) =>
      (last = last.catch(() => undefined).then(() => query(...statement))) as Promise<never>;
    return runner;
  };
}
