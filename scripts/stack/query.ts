import pg from 'pg';

/** Runs one statement on a connection of its own. */
export async function query(url: string, sql: string, parameters?: unknown[]): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query(sql, parameters);
  } finally {
    await client.end();
  }
}
