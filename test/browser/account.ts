import type { APIRequestContext, BrowserContext } from 'playwright-core';

/** A user who is signed in in a browser profile, and calls the API. */
export interface Account {
  email: string;
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: Body): Promise<T>;
}

/** As Playwright takes it: `data` for JSON, `multipart` for a form. */
export type Body = Pick<NonNullable<Parameters<APIRequestContext['post']>[1]>, 'data' | 'multipart'>;

export const PASSWORD = 'a long password';

/** Milliseconds for a call that may be held until its job has ended. */
const HELD_MS = 120_000;

/** Signs up a user over HTTP. The browser profile is signed in afterwards. */
export async function newAccount(context: BrowserContext, address: string, name: string): Promise<Account> {
  const http = context.request;
  const email = `${name.toLowerCase().replaceAll(' ', '.')}@example.com`;
  await answered(
    http.post('/api/auth/sign-up/email', {
      headers: { origin: address },
      data: { name, email, password: PASSWORD },
    }),
  );
  // A token for each call: running every tool may take longer than a token lives.
  const authorized = async () => {
    const { token } = await answered<{ token: string }>(http.get('/api/auth/token'));
    return { authorization: `Bearer ${token}` };
  };
  return {
    email,
    get: async (path) => answered(http.get(path, { headers: await authorized() })),
    post: async (path, body) =>
      answered(http.post(path, { headers: await authorized(), timeout: HELD_MS, ...body })),
  };
}

async function answered<T>(call: ReturnType<APIRequestContext['get']>): Promise<T> {
  const answer = await call;
  if (!answer.ok()) throw new Error(`${answer.url()} answered ${answer.status()}: ${await answer.text()}`);
  return (await answer.json()) as T;
}
