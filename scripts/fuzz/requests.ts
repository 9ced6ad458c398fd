import fc, { type Arbitrary } from 'fast-check';
import type { ApiDocument, Operation } from './document.ts';
import type { FuzzFiles } from './files.ts';
import { PASSWORD, type FuzzUser } from './users.ts';
import { changes } from './changes.ts';
import { encode, finish, latin1, type Draft, type FormPart, type FuzzRequest } from './draft.ts';
import { fitting, type Pools } from './values.ts';

export interface World {
  document: ApiDocument;
  files: FuzzFiles;
  users: { free: FuzzUser; premium: FuzzUser; operator: FuzzUser; leaver: FuzzUser };
  /** Whose things nobody else may see. */
  stranger: FuzzUser;
}

type Body = Pick<Draft, 'json' | 'form'>;

/** They change what the other requests need. */
const ENDS_ACCOUNT = ['remove-account', 'set-plan'];
const PROMPTS = ['Rivers of the north', 'Growing tomatoes', 'Refused [[400]]', 'Filtered [[content_filter]]'];

/** Requests of one operation: as its schemas say, or then broken in one to three ways. */
export function requestsOf(operation: Operation, world: World): Arbitrary<FuzzRequest> {
  const { users } = world;
  const own = ENDS_ACCOUNT.includes(operation.id)
    ? [users.leaver]
    : [users.free, users.premium, users.premium, users.operator];
  return fc
    .oneof(
      { weight: 7, arbitrary: fc.constantFrom(...own) },
      { weight: 1, arbitrary: fc.constant(undefined) },
    )
    .chain((user) => drafts(operation, world, user))
    .chain((draft) => fc.tuple(fc.constant(draft), fc.oneof(fc.constant([]), changes(draft))))
    .map(([draft, broken]) => {
      for (const change of broken) change(draft);
      return finish(operation.id, draft);
    });
}

/** A request that fits the schemas of its operation. */
function drafts(operation: Operation, world: World, user: FuzzUser | undefined): Arbitrary<Draft> {
  const { document, files, stranger } = world;
  const pools = poolsOf(operation, user ?? stranger, stranger);
  const values = (where: string, required?: boolean) =>
    fc.record(
      Object.fromEntries(
        operation.parameters
          .filter((parameter) => parameter.in === where)
          .map(({ name, schema }) => [name, fitting(document, schema, pools, name)]),
      ),
      required ? {} : { requiredKeys: [] },
    ) as Arbitrary<Record<string, unknown>>;
  const bodies = Object.entries(operation.bodies).map(([type, { schema }]) =>
    fitting(document, schema, { ...pools, prompt: PROMPTS }).chain((value) =>
      type === 'application/json'
        ? fc.constant<Body>({ json: value })
        : partsOf(value as object, files).map((form): Body => ({ form })),
    ),
  );
  return fc
    .record({
      params: values('path', true),
      query: values('query'),
      headers: values('header'),
      body: bodies.length > 0 ? fc.oneof(...bodies) : fc.constant<Body>({}),
    })
    .map(({ params, query, headers, body }) => ({
      user,
      method: operation.method,
      path: operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encode(String(params[name]))),
      query: Object.entries(query).map(([name, value]) => `${encode(name)}=${encode(String(value))}`),
      headers: Object.entries(headers).map(([name, value]): [string, string] => [
        name,
        latin1(String(value)),
      ]),
      ...structuredClone(body),
    }));
}

/** Values for parameters and fields by their names: mostly the user's own things, some of somebody else. */
function poolsOf(operation: Operation, user: FuzzUser, stranger: FuzzUser): Pools {
  const both = (list: (user: FuzzUser) => string[]) => [...list(user), ...list(user), ...list(stranger)];
  const isJob = operation.path.startsWith('/api/jobs');
  return {
    id: isJob
      ? both(({ jobs }) => jobs)
      : [...both(({ creations }) => creations), ...user.images, ...user.images, ...user.images],
    version: both(({ images }) => images),
    base: both(({ images }) => images),
    key: both(({ fileKeys }) => fileKeys),
    document_id: both(({ documents }) => documents.map(({ id }) => id)),
    file_name: both(({ documents }) => documents.map(({ name }) => name)),
    cursor: both(({ cursors }) => cursors),
    password: [PASSWORD],
    search: ['rivers', 'lighthouse hills', stranger.secret, user.secret],
    type: ['article', 'image', 'blog-title'],
    Prefer: ['respond-async', 'respond-async', 'respond-async', 'wait=1', 'wait=0', 'return=minimal'],
    'Idempotency-Key': ['one', 'two', 'three'],
  };
}

/** Fields with their values as texts, and a file for each field that takes one. */
function partsOf(value: object, files: FuzzFiles): Arbitrary<FormPart[]> {
  const good: Record<string, { value: Buffer; fileName: string; type: string }> = {
    pdf: { value: files.pdf, fileName: 'report.pdf', type: 'application/pdf' },
    resume: { value: files.resume, fileName: 'cv.pdf', type: 'application/pdf' },
    image: { value: files.jpeg, fileName: 'photo.jpg', type: 'image/jpeg' },
    mask: { value: files.mask, fileName: 'mask.png', type: 'image/png' },
    picture: { value: files.png, fileName: 'me.png', type: 'image/png' },
  };
  return fc.tuple(
    ...Object.entries(value).map(([name, field]): Arbitrary<FormPart> => {
      const file = good[name];
      const text = typeof field === 'string' ? field : (JSON.stringify(field) ?? '');
      if (!file) return fc.constant({ name, value: Buffer.from(text) });
      const broken = fc.constantFrom(...files.broken).map((bytes) => ({ ...file, name, value: bytes }));
      return fc.oneof(
        { weight: 3, arbitrary: fc.constant({ ...file, name }) },
        { weight: 1, arbitrary: broken },
      );
    }),
  );
}

/** Other addresses than those of the document: the accounts library's, pages, the queue board, sockets, nothing. */
export function otherRequests(world: World): Arbitrary<FuzzRequest> {
  const { users } = world;
  const auth = [
    ...['sign-up/email', 'sign-in/email', 'sign-out', 'update-user', 'change-password', 'revoke-session'],
    ...['revoke-sessions', 'revoke-other-sessions', 'delete-user', 'change-email', 'request-password-reset'],
    ...[
      'reset-password',
      'send-verification-email',
      'sign-in/social',
      'verify-password',
      'link-social',
      'nothing',
    ],
  ].map((name) => ['POST', `/api/auth/${name}`] as const);
  const read = [
    ...[
      'get-session',
      'token',
      'jwks',
      'list-sessions',
      'verify-email?token=x',
      'callback/google',
      'ok',
      'error',
    ],
    ...['delete-user/callback?token=x', 'reset-password/x', 'list-accounts', 'account-info'],
  ].map((name) => ['GET', `/api/auth/${name}`] as const);
  const pages = [
    ...[
      '/',
      '/ai',
      '/ai/dashboard',
      '/index.html',
      '/landing.html',
      '/assets/none.js',
      '/assets/..%2findex.html',
    ],
    ...[
      '/robots.txt',
      '/sitemap.xml',
      '/favicon.ico',
      '/%2e%2e/package.json',
      '/.env',
      '/.git/config',
      '/metrics',
    ],
    ...[
      '/api',
      '/api/',
      '/api/nothing',
      '/api/docs',
      '/api/docs/nothing',
      '/api/openapi.json',
      '/files',
      '/c',
    ],
    ...[
      '/c/x/thumbnail',
      '/health',
      '/admin',
      '/admin/queues',
      '/admin/queues/api/queues',
      '/admin/queues/static/x',
    ],
    ...[
      '/admin/queues/api/queues?activeQueue=text&page=1',
      '/admin/queues/queue/%00',
      '/socket.io',
      '/nothing',
    ],
  ].map((target) => ['GET', target] as const);
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
  return fc
    .record({
      call: fc.constantFrom(...auth, ...read, ...pages, ...pages),
      user: fc.constantFrom(undefined, users.leaver, users.operator, users.operator),
      json: account,
    })
    .map(({ call: [name, target], user, json: body }): Draft => {
      const [address = '', search] = target.split('?');
      return {
        user,
        method: name,
        path: address,
        query: search === undefined ? [] : [search],
        headers:
          user && address.startsWith('/api/auth')
            ? [['Authorization', `Bearer ${user.session}`]]
            : (user && [['Cookie', user.cookie]]) || [],
        ...(name === 'POST' && { json: body }),
      };
    })
    .chain((draft) => fc.tuple(fc.constant(draft), fc.oneof(fc.constant([]), changes(draft))))
    .map(([draft, broken]) => {
      const from = draft.path;
      for (const change of broken) change(draft);
      return finish(from, draft);
    });
}
