import pg from 'pg';

/** Connects to a database for one piece of work. @param timeoutMs time limit for the connection; 0: none */
export async function withClient<Result>(
  connectionString: string,
  timeoutMs: number,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: timeoutMs });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

export const query = (url: string, sql: string, parameters?: unknown[]): Promise<pg.QueryResult> =>
  withClient(url, 0, (client) => client.query(sql, parameters));
