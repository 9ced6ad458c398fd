import { randomUUID } from 'node:crypto';
import pg from 'pg';

/** Signs up users of the product and gives each a bearer token of five minutes. */
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

/** Forgets all jobs, as if they had ended long ago. */
export const emptyJobs = (databaseUrl: string): Promise<void> =>
  execute(databaseUrl, `TRUNCATE jobs CASCADE`);

/** Gives everybody more credits than a bench can use up, so that every submission is charged. */
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

/** The environment of a server under load: no limit but the machine. */
export const unlimited = {
  LOG_LEVEL: 'warn',
  AUTH_SECRET: 'a secret for benches alone, never for people',
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
