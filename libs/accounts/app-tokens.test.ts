import { beforeAll, describe, expect, it } from '@jest/globals';
import { exportSPKI, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose';
import { createAppTokens, isAppToken, type AppTokens } from './app-tokens.js';

const issuer = 'https://pressroom.example.com';
const resource = `${issuer}/mcp`;
const now = () => Math.floor(Date.now() / 1_000);

let keys: { publicKey: CryptoKey; privateKey: CryptoKey };
let tokens: AppTokens;
beforeAll(async () => {
  keys = await generateKeyPair('RS256');
  tokens = createAppTokens({
    ...{ authorizationServer: issuer, resource, scopes: ['read'] },
    issuers: new Map([[issuer, () => keys.publicKey]]),
  });
});

const claims = (): JWTPayload => ({
  ...{ iss: issuer, sub: 'ada', client_id: 'desk', aud: resource, scope: 'read images offline_access' },
  ...{ iat: now(), exp: now() + 60 },
});
const sign = (
  payload: JWTPayload,
  {
    typ = 'at+jwt',
    alg = 'RS256',
    key = keys.privateKey,
  }: { typ?: string; alg?: string; key?: CryptoKey | Uint8Array } = {},
) => new SignJWT(payload).setProtectedHeader({ alg, typ, kid: '1' }).sign(key);

describe('access tokens of apps', () => {
  it('name the user, the app and our scopes', async () => {
    const token = await sign(claims());
    expect(isAppToken(token)).toBe(true);
    expect(await tokens.verify(token)).toEqual({
      userId: 'ada',
      clientId: 'desk',
      scopes: ['read', 'images'],
      issuedAt: expect.any(Number),
    });
    expect(
      await tokens.verify(await sign({ ...claims(), aud: ['https://other.example', resource] })),
    ).toBeTruthy();
  });

  it.each<[string, () => Promise<string>]>([
    ['of another audience', () => sign({ ...claims(), aud: issuer })],
    ['of a longer audience', () => sign({ ...claims(), aud: `${resource}/` })],
    ['without an audience', () => sign({ ...claims(), aud: undefined })],
    ['of another issuer', () => sign({ ...claims(), iss: 'https://evil.example' })],
    ['without a user', () => sign({ ...claims(), sub: undefined })],
    ['without an app', () => sign({ ...claims(), client_id: undefined })],
    ['without an expiry', () => sign({ ...claims(), exp: undefined })],
    ['that has expired', () => sign({ ...claims(), exp: now() - 60 })],
    ['of a session', () => sign(claims(), { typ: 'JWT' })],
    [
      'signed by another key',
      async () => sign(claims(), { key: (await generateKeyPair('RS256')).privateKey }),
    ],
    [
      'signed with the public key as a secret',
      async () =>
        sign(claims(), { alg: 'HS256', key: new TextEncoder().encode(await exportSPKI(keys.publicKey)) }),
    ],
    [
      'without a signature',
      async () => {
        const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
        return `${part({ alg: 'none', typ: 'at+jwt' })}.${part(claims())}.`;
      },
    ],
    ['that is cut', async () => (await sign(claims())).slice(0, -5)],
  ])('%s are refused', async (_, make) => {
    await expect(tokens.verify(await make())).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('without an audience are taken from trusted clients alone, where the issuer binds tokens to none', async () => {
    const clerk = createAppTokens({
      ...{ authorizationServer: issuer, resource, scopes: null, trustedClients: ['desk'] },
      issuers: new Map([[issuer, () => keys.publicKey]]),
    });
    const token = { ...claims(), aud: undefined };
    expect(await clerk.verify(await sign(token))).toMatchObject({
      userId: 'ada',
      clientId: 'desk',
      scopes: null,
    });
    for (const other of [{ client_id: 'other' }, { aud: issuer }])
      await expect(clerk.verify(await sign({ ...token, ...other }))).rejects.toMatchObject({
        code: 'UNAUTHENTICATED',
      });
  });
});

it.each(['', 'prk_000000000000_x', 'a.b.c', 'eyJhbGciOiJub25lIn0.e30.'])(
  '%j is no token of an app',
  (text) => {
    expect(isAppToken(text)).toBe(false);
  },
);
