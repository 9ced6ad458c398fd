import fc, { type Arbitrary } from 'fast-check';
import type { ApiDocument, Operation } from './document.ts';
import type { FuzzFiles } from './files.ts';
import { PASSWORD, type FuzzUser } from './users.ts';
import { changes } from './changes.ts';
import { corpus } from './corpus.ts';
import { encode, finish, latin1, type Draft, type FormPart, type FuzzRequest } from './draft.ts';
import { fitting, type Pools } from './values.ts';

export interface World {
  document: ApiDocument;
  files: FuzzFiles;
  users: Record<'free' | 'premium' | 'program' | 'operator' | 'leaver', FuzzUser>;
  /** A user whose data must appear in no answer to others. */
  stranger: FuzzUser;
}

type Body = Pick<Draft, 'json' | 'form'>;

/** Operations that change an account; only the user who leaves calls them. */
const CHANGES_ACCOUNT = ['remove-account', 'set-plan'];
const LINES = ['Built a tool', 'Led a team'].map((source) =>
  JSON.stringify([{ source, text: 'Built <two> & more' }]),
);
const PROMPTS = ['Rivers of the north', 'Growing tomatoes', 'Refused [[400]]', 'Filtered [[content_filter]]'];

/** Requests of one operation: valid by its schemas, or broken in one to three ways. */
export function requestsOf(operation: Operation, world: World): Arbitrary<FuzzRequest> {
  const { users } = world;
  const own = CHANGES_ACCOUNT.includes(operation.id)
    ? [users.leaver]
    : [users.free, users.premium, users.program, users.operator];
  return fc
    .oneof(
      { weight: 7, arbitrary: fc.constantFrom(...own) },
      { weight: 1, arbitrary: fc.constant(undefined) },
    )
    .chain((user) => drafts(operation, world, user))
    .chain((draft) => maybeBroken(draft, operation.id));
}

const maybeBroken = (draft: Draft, from: string): Arbitrary<FuzzRequest> =>
  fc.oneof(fc.constant([]), changes(draft)).map((broken) => {
    for (const change of broken) change(draft);
    return finish(from, draft);
  });

/** Requests that fit the schemas of an operation. */
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
        : partsOf(value as object, filesFor(operation, files)).map((form): Body => ({ form })),
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

/** Values for parameters and fields by name: mostly the user's own, some of another user. */
function poolsOf(operation: Operation, user: FuzzUser, stranger: FuzzUser): Pools {
  const both = (list: (user: FuzzUser) => string[]) => [...list(user), ...list(user), ...list(stranger)];
  const images = [...user.images, ...user.images, ...user.images];
  const idsByPath: Record<string, string[]> = {
    '/api/jobs': both(({ jobs }) => jobs),
    '/api/notebooks': both(({ notebooks }) => notebooks),
    '/api/keys': both(({ apiKeys }) => apiKeys),
    '/api/webhooks': both(({ webhooks }) => webhooks),
  };
  const path = Object.keys(idsByPath).find((start) => operation.path.startsWith(start));
  return {
    id: path === undefined ? [...both(({ creations }) => creations), ...images] : idsByPath[path]!,
    version: both(({ images }) => images),
    base: both(({ images }) => images),
    key: both(({ fileKeys }) => fileKeys),
    deliveryId: both(({ deliveries }) => deliveries),
    notebook_id: both(({ notebooks }) => notebooks),
    documentId: both(({ documents }) => documents.map(({ id }) => id)),
    noteId: both(({ notes }) => notes),
    document_id: both(({ documents }) => documents.map(({ id }) => id)),
    file_name: both(({ documents }) => documents.map(({ name }) => name)),
    cursor: both(({ cursors }) => cursors),
    lines: LINES,
    password: [PASSWORD],
    search: ['rivers', 'lighthouse hills', stranger.secret, user.secret],
    type: ['article', 'image', 'blog-title'],
    Prefer: ['respond-async', 'respond-async', 'respond-async', 'wait=1', 'wait=0', 'return=minimal'],
    'Idempotency-Key': ['one', 'two', 'three'],
  };
}

/** The files of a request; the route that writes resumes takes Word documents. */
const filesFor = ({ path }: Operation, files: FuzzFiles): FuzzFiles =>
  path.endsWith('/resume') ? { ...files, resume: files.word } : files;

/** Form parts: a text for each field, or a file where the field takes one. */
function partsOf(value: object, files: FuzzFiles): Arbitrary<FormPart[]> {
  const valid: Record<string, { value: Buffer; fileName: string; type: string }> = {
    pdf: { value: files.pdf, fileName: 'report.pdf', type: 'application/pdf' },
    document: { value: files.pdf, fileName: 'report.pdf', type: 'application/pdf' },
    resume: { value: files.resume, fileName: 'cv.pdf', type: 'application/pdf' },
    image: { value: files.jpeg, fileName: 'photo.jpg', type: 'image/jpeg' },
    mask: { value: files.mask, fileName: 'mask.png', type: 'image/png' },
    picture: { value: files.png, fileName: 'me.png', type: 'image/png' },
  };
  return fc.tuple(
    ...Object.entries(value).map(([name, field]): Arbitrary<FormPart> => {
      const file = valid[name];
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
  return fc
    .record({
      call: fc.constantFrom(...calls),
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
    .chain((draft) => maybeBroken(draft, draft.path));
}
