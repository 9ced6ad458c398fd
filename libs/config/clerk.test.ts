import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { ClerkConfig } from './clerk.js';
import { ConfigurationError, readConfig, readOperatorConfig } from './environment.js';

const publicKeyOf = (type: 'rsa' | 'ed25519') =>
  (type === 'rsa'
    ? generateKeyPairSync('rsa', { modulusLength: 2048 })
    : generateKeyPairSync('ed25519')
  ).publicKey
    .export({ format: 'pem', type: 'spki' })
    .toString();
const pem = publicKeyOf('rsa');
const publishable = (host: string, kind = 'test') =>
  `pk_${kind}_${Buffer.from(`${host}$`).toString('base64').replace(/=+$/, '')}`;
const needed = {
  DATABASE_URL: 'postgres://localhost/pressroom',
  CLERK_PUBLISHABLE_KEY: publishable('clerk.example.com'),
  CLERK_SECRET_KEY: 'sk_test_hunter2',
};
const read = (variables: Record<string, string | undefined> = {}) =>
  readConfig({ ...needed, ...variables }).accounts as ClerkConfig;

describe('the configuration of Clerk', () => {
  it('refuses second factors, which Clerk manages', () => {
    expect(read({ REQUIRE_TWO_FACTOR: 'nobody' }).kind).toBe('clerk');
    expect(() => read({ REQUIRE_TWO_FACTOR: 'operators' })).toThrow(
      new ConfigurationError(
        'REQUIRE_TWO_FACTOR must be nobody with Clerk: require two factors in the settings of the instance at Clerk.',
      ),
    );
  });

  it('needs two keys, no AUTH_SECRET, and no LOCAL_ACCOUNTS', () => {
    expect(read({ HOST: '0.0.0.0' })).toEqual({
      kind: 'clerk',
      publishableKey: needed.CLERK_PUBLISHABLE_KEY,
      secretKey: 'sk_test_hunter2',
      frontendApi: 'https://clerk.example.com',
      proxyUrl: null,
      issuers: ['https://clerk.example.com'],
      authorizedParties: ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000'],
      jwtKey: null,
      webhookSecret: null,
      oauthClients: [],
      premiumPlan: 'premium',
      apiUrl: 'https://api.clerk.com',
    });
  });

  it('does not allow users to switch the plan', () => {
    expect(readConfig({ ...needed, PLAN_SWITCH: 'self' }).planSwitch).toBe(false);
  });

  it('accepts all other variables', () => {
    const secret = `whsec_${Buffer.from('a signing secret of Clerk').toString('base64')}`;
    expect(
      read({
        PUBLIC_URL: 'https://pressroom.example.com',
        CLERK_AUTHORIZED_PARTIES: 'https://a.example, https://b.example/',
        CLERK_WEBHOOK_SIGNING_SECRET: secret,
        CLERK_PREMIUM_PLAN: 'pro_2026',
        CLERK_OAUTH_CLIENTS: 'abc=Desk app, def=Chat',
        CLERK_API_URL: 'http://127.0.0.1:4000/',
        CLERK_PROXY_URL: '/__clerk',
      }),
    ).toMatchObject({
      authorizedParties: ['https://a.example', 'https://b.example'],
      webhookSecret: secret,
      oauthClients: [
        { clientId: 'abc', name: 'Desk app' },
        { clientId: 'def', name: 'Chat' },
      ],
      premiumPlan: 'pro_2026',
      apiUrl: 'http://127.0.0.1:4000',
      proxyUrl: '/__clerk',
      issuers: ['https://clerk.example.com', 'https://pressroom.example.com/__clerk'],
    });
    expect(read({ PUBLIC_URL: 'https://pressroom.example.com' }).authorizedParties).toEqual([
      'https://pressroom.example.com',
    ]);
  });

  it.each([
    ['as it is', pem],
    ['with \\n for its line ends', pem.trim().replaceAll('\n', '\\n')],
    ['in quotes', `"${pem.trim().replaceAll('\n', '\\n')}"`],
    ['with spaces for its line ends', pem.trim().replaceAll('\n', ' ')],
  ])('takes the public key %s', (_, key) => {
    expect(read({ CLERK_JWT_KEY: key }).jwtKey).toBe(pem);
  });

  it.each([
    [{ CLERK_SECRET_KEY: undefined }, /^CLERK_SECRET_KEY must be set too/],
    [{ CLERK_PUBLISHABLE_KEY: undefined }, /^CLERK_PUBLISHABLE_KEY must be set too/],
    [{ CLERK_PUBLISHABLE_KEY: 'hunter2' }, /^CLERK_PUBLISHABLE_KEY must hold the publishable key/],
    [{ CLERK_PUBLISHABLE_KEY: 'pk_test_hunter2' }, /^CLERK_PUBLISHABLE_KEY must hold the publishable key/],
    [{ CLERK_PUBLISHABLE_KEY: publishable('evil/hunter2') }, /^CLERK_PUBLISHABLE_KEY must hold/],
    [{ CLERK_SECRET_KEY: 'hunter2' }, /^CLERK_SECRET_KEY must hold the secret key/],
    [
      { CLERK_SECRET_KEY: 'sk_live_hunter2' },
      /^CLERK_SECRET_KEY and CLERK_PUBLISHABLE_KEY must be of the same/,
    ],
    [{ CLERK_JWT_KEY: 'hunter2' }, /^CLERK_JWT_KEY must hold the public key/],
    [{ CLERK_JWT_KEY: pem.replace('MII', 'hunter2') }, /^CLERK_JWT_KEY must hold the public key/],
    [{ CLERK_JWT_KEY: publicKeyOf('ed25519') }, /^CLERK_JWT_KEY must hold the public key/],
    [
      { CLERK_WEBHOOK_SIGNING_SECRET: 'hunter2' },
      /^CLERK_WEBHOOK_SIGNING_SECRET must hold the signing secret/,
    ],
    [{ CLERK_OAUTH_CLIENTS: 'abc' }, /^CLERK_OAUTH_CLIENTS must be a list of OAuth applications/],
    [{ CLERK_PREMIUM_PLAN: 'hunter2 !' }, /^CLERK_PREMIUM_PLAN must be the slug/],
    [{ CLERK_AUTHORIZED_PARTIES: 'https://a.example/hunter2' }, /^CLERK_AUTHORIZED_PARTIES must/],
    [{ CLERK_API_URL: 'hunter2' }, /^CLERK_API_URL must be an address/],
    [{ CLERK_PROXY_URL: 'hunter2' }, /^CLERK_PROXY_URL must be an address, or a path/],
    [
      { CLERK_PUBLISHABLE_KEY: undefined, CLERK_SECRET_KEY: undefined, CLERK_PREMIUM_PLAN: 'pro' },
      /^CLERK_PUBLISHABLE_KEY and CLERK_SECRET_KEY must be set too: without them CLERK_PREMIUM_PLAN means nothing/,
    ],
  ])('refuses %j', (variables, message) => {
    expect(() => read(variables)).toThrow(ConfigurationError);
    expect(() => read(variables)).toThrow(message);
    expect(() => read(variables)).not.toThrow(/hunter2/);
  });

  it('is known to operator commands', () => {
    expect(readOperatorConfig(needed).accounts).toBe('clerk');
    expect(readOperatorConfig({ DATABASE_URL: needed.DATABASE_URL }).accounts).toBe('local');
  });
});

describe('the configuration of mail', () => {
  const withMail = (variables: Record<string, string>) =>
    readConfig({
      DATABASE_URL: needed.DATABASE_URL,
      AUTH_SECRET: '7d3f0b9c5a1e8642f0c7b3d95e1a6480',
      ...variables,
    }).mail;

  it.each(['no-reply@example.com', 'Pressroom <no-reply@example.com>'])('takes the sender %s', (from) => {
    expect(withMail({ SMTP_URL: 'smtps://user:word@mail.example.com', SMTP_FROM: from })).toEqual({
      url: 'smtps://user:word@mail.example.com',
      from,
    });
  });

  it.each([
    [{ ALERT_MAIL: 'a@b.c' }, /^SMTP_URL must be set with ALERT_MAIL/],
    [{ ALERT_MAIL: 'a@b.c,b' }, /^ALERT_MAIL must be a list of mail addresses/],
    [{ ALERT_WEBHOOK_URL: 'https://a:b@hooks' }, /^ALERT_WEBHOOK_URL must have no user/],
    [{ SMTP_URL: 'smtp://mail' }, /^SMTP_FROM must be set with SMTP_URL/],
    [{ SMTP_FROM: 'a@b.c' }, /^SMTP_URL must be set with SMTP_FROM/],
    [{ SMTP_URL: 'http://mail', SMTP_FROM: 'a@b.c' }, /^SMTP_URL must be an address/],
    [{ SMTP_URL: 'smtp://mail', SMTP_FROM: 'Pressroom' }, /^SMTP_FROM must be a mail address/],
  ])('refuses %j', (variables, message) => {
    expect(() => withMail(variables)).toThrow(message);
  });
});
