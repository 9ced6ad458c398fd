import { randomUUID } from 'node:crypto';
import pg from 'pg';

/** Signs up users. @returns a bearer token of each, valid for five minutes */
export async function signUpUsers(address: string, count: number): Promise<string[]> {
  const tokens: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const answer = await post(`${address}/api/auth/sign-up/email`, {
      name: `Person ${index}`,
      email: `person-${randomUUID()}@example.test`,
      password: 'a long enough password',
    });
    const { token: session } = (await answer.json()) as { token: string };
    const headers = { authorization: `Bearer ${session}` };
    const { token } = (await (await fetch(`${address}/api/auth/token`, { headers })).json()) as {
      token: string;
    };
    await fetch(`${address}/api/user/account`, { headers: { authorization: `Bearer ${token}` } });
    tokens.push(token);
  }
  return tokens;
}

export const deleteJobs = (databaseUrl: string): Promise<void> =>
  execute(databaseUrl, `TRUNCATE jobs CASCADE`);

/** Gives all users more credits than a bench can use. */
export async function fillBalances(databaseUrl: string): Promise<void> {
  await execute(
    databaseUrl,
    `INSERT INTO credit_balances (user_id, month, granted, balance)
     SELECT id, date_trunc('month', now() AT TIME ZONE 'UTC')::date, 10000000, 10000000 FROM users
     ON CONFLICT DO NOTHING`,
  );
}

async function execute(databaseUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** The environment of a server under load: no rate limits. */
export const unlimited = {
  LOG_LEVEL: 'warn',
  AUTH_SECRET: 'a secret of the bench that is long enough',
  RATE_LIMIT_REQUESTS: '1000000',
  RATE_LIMIT_SUBMISSIONS: '1000000',
  RATE_LIMIT_SIGN_UP: '100000',
  UNFINISHED_JOBS: '1000000',
};

async function post(url: string, body: object): Promise<Response> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return answer;
}
