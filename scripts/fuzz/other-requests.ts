import fc, { type Arbitrary } from 'fast-check';
import { corpus } from './corpus.ts';
import type { Draft, FuzzRequest } from './draft.ts';
import { maybeBroken, type World } from './requests.ts';
import { PASSWORD } from './users.ts';
import { hostileText, hostileValue } from './values.ts';

/** Address of the app that signs users in. */
export const REDIRECT = 'http://127.0.0.1:7777/callback';
const FORM_HEADERS: Draft['headers'] = [['Content-Type', 'application/x-www-form-urlencoded']];
/** The answer of a passkey that does not exist. */
const PASSKEY = {
  id: 'AAAA',
  rawId: 'AAAA',
  type: 'public-key',
  clientExtensionResults: {},
  response: { clientDataJSON: 'e30', attestationObject: 'oA', authenticatorData: 'AA', signature: 'AA' },
};

/** Requests to paths that the document lacks: the accounts library, pages, the queue board, sockets, unknown paths. */
export function otherRequests(world: World): Arbitrary<FuzzRequest> {
  const { users } = world;
  const calls = [
    ...corpus.accountPosts.map((name) => ['POST', `/api/auth/${name}`] as const),
    ...[...corpus.accountReads.map((name) => `/api/auth/${name}`), ...corpus.pages, ...corpus.pages].map(
      (target) => ['GET', target] as const,
    ),
  ];
  const account = fc.record(
    {
      email: fc.constantFrom(users.leaver.email, 'nobody@example.test', 'not an address'),
      password: fc.constantFrom(PASSWORD, 'password', 'x'.repeat(200)),
      newPassword: fc.constantFrom('another phrase of the fuzz', 'short'),
      currentPassword: fc.constant(PASSWORD),
      name: fc.constantFrom('Ada', 'x'.repeat(3_000)),
      token: fc.constantFrom('x', users.leaver.session),
    },
    { requiredKeys: [] },
  );
  const secondFactor = fc.record(
    {
      password: fc.constantFrom(PASSWORD, 'password'),
      code: fc.oneof(fc.constantFrom('000000', 'abcde-fghij'), hostileText),
      trustDevice: fc.boolean(),
      id: fc.constantFrom('x', users.leaver.id),
      name: hostileText,
      response: fc.oneof(fc.constant(PASSKEY), hostileValue),
    },
    { requiredKeys: [] },
  );
  const app = fc.record(
    {
      client_id: fc.constantFrom(world.clientId, 'x'),
      response_type: fc.constantFrom('code', 'code', 'token'),
      redirect_uri: fc.constantFrom(REDIRECT, REDIRECT, 'https://elsewhere.example/', 'javascript:1'),
      scope: fc.constantFrom('read', 'read write offline_access', 'openid', ''),
      state: fc.constantFrom('one', ''),
      code_challenge: fc.constant('E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'),
      code_challenge_method: fc.constantFrom('S256', 'S256', 'plain'),
      resource: fc.constantFrom('http://localhost/mcp', 'x'),
      grant_type: fc.constantFrom('authorization_code', 'refresh_token', 'client_credentials', 'x'),
      code: hostileText,
      code_verifier: hostileText,
      refresh_token: hostileText,
      accept: fc.boolean(),
      oauth_query: fc.constantFrom('', 'client_id=x&sig=x', '%'),
      redirect_uris: fc.constantFrom([REDIRECT], ['javascript:1'], [], 'x'),
      client_name: hostileText,
    },
    { requiredKeys: [] },
  );
  const bodyFor = (target: string) =>
    /\/(two-factor|passkey)\//.test(target) ? secondFactor : target.includes('/oauth2/') ? app : account;
  return fc
    .constantFrom(...calls)
    .chain((call) =>
      fc.record({
        call: fc.constant(call),
        user: fc.constantFrom(undefined, users.leaver, users.operator, users.operator),
        json: bodyFor(call[1]) as Arbitrary<object>,
      }),
    )
    .map(({ call: [name, target], user, json: body }): Draft => {
      const [address = '', given] = target.split('?');
      const form = new URLSearchParams(
        Object.entries(body).map(([key, value]): [string, string] => [key, String(value)]),
      ).toString();
      const search = given ?? (address.endsWith('/oauth2/authorize') ? form : undefined);
      const isForm = /\/oauth2\/(token|revoke)$/.test(address);
      return {
        user,
        method: name,
        path: address,
        query: search === undefined ? [] : [search],
        headers:
          user && address.startsWith('/api/auth')
            ? [['Authorization', `Bearer ${user.session}`]]
            : (user && [['Cookie', user.cookie]]) || [],
        ...(name === 'POST' && !isForm && { json: body }),
        ...(name === 'POST' && isForm && { body: Buffer.from(form), headers: FORM_HEADERS }),
      };
    })
    .chain((draft) => maybeBroken(draft, draft.path));
}
