import type pg from 'pg';
import type { LocalAccountsOptions } from '#libs/accounts/local/options.js';

export const publicUrl = 'http://localhost:3000';

/** Options of local accounts that log nothing. */
export const accountsOptions = (pool: pg.Pool): LocalAccountsOptions => ({
  pool,
  secret: '7d3f0b9c5a1e8642f0c7b3d95e1a6480',
  publicUrl,
  rateLimits: { signIn: 1000, signUp: 1000 },
  logger: { warn: () => undefined, error: () => undefined },
});

/** A call of the accounts, by POST if it has a body. */
export const call = (path: string, body?: object, headers: Record<string, string> = {}) =>
  new Request(`${publicUrl}/api/auth${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json', 'x-pressroom-client-address': '192.0.2.1', ...headers },
    body: body && JSON.stringify(body),
  });

let users = 0;
export const newUser = (changes: object = {}) => ({
  name: 'Ada',
  email: `ada${++users}@example.com`,
  password: 'correct horse',
  ...changes,
});
