import { randomUUID } from 'node:crypto';
import pg from 'pg';

/** Signs up users. @returns the token of a session of each */
export async function signUp(address: string, count: number): Promise<string[]> {
  const sessions: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const answer = await post(`${address}/api/auth/sign-up/email`, {
      name: `Person ${index}`,
      email: `person-${randomUUID()}@example.test`,
      password: 'a long enough password',
    });
    const { token } = (await answer.json()) as { token: string };
    sessions.push(token);
  }
  // The account of each is made with its first request.
  for (const token of await readTokens(address, sessions))
    await fetch(`${address}/api/user/account`, { headers: { authorization: `Bearer ${token}` } });
  return sessions;
}

/** @returns a bearer token of each session, valid for five minutes */
export async function readTokens(address: string, sessions: string[]): Promise<string[]> {
  const tokens: string[] = [];
  for (const session of sessions) {
    const headers = { authorization: `Bearer ${session}` };
    const answer = await fetch(`${address}/api/auth/token`, { headers });
    tokens.push(((await answer.json()) as { token: string }).token);
  }
  return tokens;
}

/** Signs up users. @returns a bearer token of each, valid for five minutes */
export const signUpUsers = async (address: string, count: number): Promise<string[]> =>
  readTokens(address, await signUp(address, count));

export const deleteJobs = (databaseUrl: string): Promise<void> =>
  execute(databaseUrl, `TRUNCATE jobs CASCADE`);

/** Gives all users more credits than a bench can use. */
export async function fillBalances(databaseUrl: string, credits = 10_000_000): Promise<void> {
  await execute(
    databaseUrl,
    `INSERT INTO credit_balances (user_id, month, granted, balance)
     SELECT id, date_trunc('month', now() AT TIME ZONE 'UTC')::date, ${credits}, ${credits} FROM users
     ON CONFLICT (user_id, month) DO UPDATE SET granted = excluded.granted, balance = excluded.balance`,
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
