import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  CompactSign,
  exportSPKI,
  generateKeyPair,
  SignJWT,
  UnsecuredJWT,
  type CryptoKey,
  type JWTPayload,
} from 'jose';
import { JWKSNoMatchingKey } from 'jose/errors';
import { AppError } from '#libs/contract/errors.js';
import { setDate } from '../../test/support/fake-date.ts';
import { createTokenVerifier } from './token-verifier.js';

const ISSUER = 'http://localhost:3000';
const now = () => Math.floor(Date.now() / 1000);

let own: { publicKey: CryptoKey; privateKey: CryptoKey };
let foreign: { publicKey: CryptoKey; privateKey: CryptoKey };

beforeAll(async () => {
  own = await generateKeyPair('RS256', { extractable: true });
  foreign = await generateKeyPair('RS256', { extractable: true });
});

const claims = (changes: JWTPayload = {}): JWTPayload => ({
  iss: ISSUER,
  sub: 'user_1',
  sid: 'session_1',
  azp: ISSUER,
  iat: now(),
  nbf: now() - 5,
  exp: now() + 300,
  sts: 'active',
  name: 'Ada 🦜',
  email: 'ada@example.com',
  picture: null,
  ...changes,
});

/** Signs a token with changed claims. Omits claims that are undefined. */
const sign = (changes: JWTPayload = {}, key = own.privateKey) =>
  new SignJWT(claims(changes)).setProtectedHeader({ alg: 'RS256', kid: 'own' }).sign(key);

const verifier = (keys: () => Promise<CryptoKey> = async () => own.publicKey) =>
  createTokenVerifier(new Map([[ISSUER, { keys, authorizedParties: [ISSUER] }]]));

describe('the token verifier', () => {
  afterEach(() => void jest.useRealTimers());

  it('returns the identity of a valid token', async () => {
    const token = await sign({ iat: 1_000, exp: 9_999_999_999 });
    await expect(verifier().verify(token)).resolves.toEqual({
      userId: 'user_1',
      sessionId: 'session_1',
      name: 'Ada 🦜',
      email: 'ada@example.com',
      imageUrl: null,
      plans: null,
      issuedAt: 1_000,
      expiresAt: 9_999_999_999,
    });
  });

  it('accepts a token without the claims that are only displayed', async () => {
    const token = await sign({ name: undefined, email: undefined, picture: undefined, sts: undefined });
    await expect(verifier().verify(token)).resolves.toMatchObject({ name: '', email: null, imageUrl: null });
  });

  it.each([
    ['u:premium', ['premium']],
    ['u:free_user,o:team', ['free_user']],
    ['o:premium', []],
    ['o:team,uo:premium,ou:extra', ['premium', 'extra']],
    ['', []],
    ['premium', []],
    [undefined, null],
    [7, null],
  ])('reads the plans %j as %j', async (pla, plans) => {
    await expect(verifier().verify(await sign({ pla }))).resolves.toMatchObject({ plans });
  });

  it('allows clocks to differ by a few seconds', async () => {
    setDate(Date.now());
    await expect(verifier().verify(await sign({ exp: now() - 3 }))).resolves.toMatchObject({
      userId: 'user_1',
    });
    await expect(verifier().verify(await sign({ nbf: now() + 3 }))).resolves.toMatchObject({
      userId: 'user_1',
    });
  });

  const refused: [string, () => Promise<string>, RegExp][] = [
    ['no token', async () => '', /Sign in first/],
    ['garbage', async () => 'garbage', /malformed/],
    ['three parts of garbage', async () => 'a.b.c', /malformed/],
    ['an expired token', () => sign({ exp: now() - 10 }), /expired/],
    ['one that is not yet valid', () => sign({ nbf: now() + 60 }), /not valid/],
    ['another issuer', () => sign({ iss: 'https://clerk.example.com' }), /issuer/],
    ['an issuer with a slash more', () => sign({ iss: `${ISSUER}/` }), /issuer/],
    ['no issuer', () => sign({ iss: undefined }), /issuer/],
    ['the name of a property of every object as issuer', () => sign({ iss: '__proto__' }), /issuer/],
    ['a token of our issuer signed by another key', () => sign({}, foreign.privateKey), /not valid/],
    ['another party', () => sign({ azp: 'https://evil.example' }), /another application/],
    ['a list of parties', () => sign({ azp: [ISSUER] }), /another application/],
    ['no party', () => sign({ azp: undefined }), /not valid/],
    ['no subject', () => sign({ sub: undefined }), /not valid/],
    ['an empty subject', () => sign({ sub: '' }), /not valid/],
    ['no session', () => sign({ sid: undefined }), /not valid/],
    ['a session that is no text', () => sign({ sid: 7 }), /not valid/],
    ['no end', () => sign({ exp: undefined }), /not valid/],
    ['a pending session', () => sign({ sts: 'pending' }), /not complete/],
    ['a session of a status that we do not know', () => sign({ sts: 'revoked' }), /not complete/],
    ['one made in the future', () => sign({ iat: now() + 60 }), /not valid/],
    ['an unsigned token', async () => new UnsecuredJWT(claims()).encode(), /not valid/],
    ['a changed payload', async () => tamper(await sign()), /not valid/],
    ['HS256 signed with the public key', signWithPublicKey, /not valid/],
    ['PS256 by the right key', signPs256, /not valid/],
  ];
  it.each(refused)('refuses %s', async (_, makeToken, message) => {
    const error = await verifier()
      .verify(await makeToken())
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code: 'UNAUTHENTICATED', message: expect.stringMatching(message) });
  });

  it('refuses a key that the issuer does not have', async () => {
    const keys = async () => {
      throw new JWKSNoMatchingKey();
    };
    await expect(verifier(keys).verify(await sign())).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('does not reject the token when the keys cannot be read', async () => {
    const keys = async () => {
      throw Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });
    };
    await expect(verifier(keys).verify(await sign())).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      retryAfterSeconds: 5,
    });
  });
});

function tamper(token: string): string {
  const [header, , signature] = token.split('.');
  const payload = Buffer.from(JSON.stringify(claims({ sub: 'somebody_else' }))).toString('base64url');
  return [header, payload, signature].join('.');
}

/** Simulates a known attack: signs with HMAC, using the public key as the secret. */
async function signWithPublicKey(): Promise<string> {
  const secret = new TextEncoder().encode(await exportSPKI(own.publicKey));
  return new CompactSign(new TextEncoder().encode(JSON.stringify(claims())))
    .setProtectedHeader({ alg: 'HS256', kid: 'own' })
    .sign(secret);
}

async function signPs256(): Promise<string> {
  const { privateKey } = await generateKeyPair('PS256', { extractable: true });
  return new SignJWT(claims()).setProtectedHeader({ alg: 'PS256', kid: 'own' }).sign(privateKey);
}
