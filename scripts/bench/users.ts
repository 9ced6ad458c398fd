import { randomUUID } from 'node:crypto';
import { query } from '../stack/query.ts';

/** Environment variables of a program under load: effectively no rate limits. */
export const unlimited = {
  LOG_LEVEL: 'warn',
  AUTH_SECRET: '7d3f0b9c5a1e8642f0c7b3d95e1a6480',
  RATE_LIMIT_REQUESTS: '1000000',
  RATE_LIMIT_SUBMISSIONS: '1000000',
  RATE_LIMIT_SIGN_UP: '100000',
  UNFINISHED_JOBS: '1000000',
};

/** Signs up users. @returns a session token for each */
export async function signUp(address: string, count: number): Promise<string[]> {
  const sessions: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const { token } = await call<{ token: string }>(`${address}/api/auth/sign-up/email`, undefined, {
      name: `User ${index}`,
      email: `user-${randomUUID()}@example.test`,
      password: 'a long enough password',
    });
    sessions.push(token);
  }
  // Each user's first request creates the account's row, so make it before the measurement.
  for (const token of await readTokens(address, sessions)) await call(`${address}/api/user/account`, token);
  return sessions;
}

/** @returns a bearer token for each session, valid for five minutes */
export async function readTokens(address: string, sessions: string[]): Promise<string[]> {
  const tokens: string[] = [];
  for (const session of sessions)
    tokens.push((await call<{ token: string }>(`${address}/api/auth/token`, session)).token);
  return tokens;
}

/** Signs up users. @returns a bearer token for each, valid for five minutes */
export const signUpUsers = async (address: string, count: number): Promise<string[]> =>
  readTokens(address, await signUp(address, count));

export const deleteJobs = (databaseUrl: string) => query(databaseUrl, 'TRUNCATE jobs, creations CASCADE');

/** Gives all users more credits than a bench can use. */
export const fillBalances = (databaseUrl: string, credits = 10_000_000) =>
  query(
    databaseUrl,
    `INSERT INTO credit_balances (user_id, month, granted, balance)
     SELECT id, date_trunc('month', now() AT TIME ZONE 'UTC')::date, ${credits}, ${credits} FROM users
     ON CONFLICT (user_id, month) DO UPDATE SET granted = excluded.granted, balance = excluded.balance`,
  );

/** Headers of a submission. `respond-async` makes the api answer before the job ends. */
export const submissionHeaders = (token: string) => ({
  'content-type': 'application/json',
  prefer: 'respond-async',
  authorization: `Bearer ${token}`,
});

/** Submits a job. @returns its id */
export async function submitJob(
  address: string,
  token: string,
  prompt: string,
  tool: 'generate-article' | 'generate-image' = 'generate-article',
): Promise<string> {
  const response = await fetch(`${address}/api/ai/${tool}`, {
    method: 'POST',
    headers: submissionHeaders(token),
    body: JSON.stringify(tool === 'generate-article' ? { prompt, length: 800 } : { prompt }),
    signal: AbortSignal.timeout(5_000),
  });
  const body = (await response.json()) as { job: { id: string } };
  if (response.status !== 202) throw new Error(`Not accepted: ${JSON.stringify(body)}`);
  return body.job.id;
}

/** A GET request, or a POST request with a body. @throws Error with the answer when it is not a success */
export async function call<Answer>(url: string, token?: string, body?: object): Promise<Answer> {
  const answer = await fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: body && JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${text}`);
  return JSON.parse(text) as Answer;
}
