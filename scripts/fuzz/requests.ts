import fc, { type Arbitrary } from 'fast-check';
import type { ApiDocument, Operation } from './document.ts';
import { ATTACHMENT, type FuzzFiles } from './files.ts';
import { PASSWORD, type FuzzUser } from './users.ts';
import { changes } from './changes.ts';
import { encode, finish, latin1, type Draft, type FormPart, type FuzzRequest } from './draft.ts';
import { fitting, type Values } from './values.ts';

export interface World {
  document: ApiDocument;
  files: FuzzFiles;
  users: Record<'free' | 'premium' | 'program' | 'operator' | 'leaver', FuzzUser>;
  /** Users whom operators may suspend and delete. */
  managed: FuzzUser[];
  /** An app that may ask users to sign in. */
  clientId: string;
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

const isOperators = ({ path }: Operation) => path.startsWith('/api/admin/');

/** What a valid request of an operation has besides the required fields of its schemas. */
export const COMPLETIONS: Record<string, (params: Record<string, unknown>, world: World) => Completion> = {
  'rewrite-text': () => ({ fields: { action: 'shorter' } }),
  'chat-with-pdf': () => ({ fields: { pdf: '' } }),
  'add-notebook-document': () => ({ fields: { document: '' } }),
  'remove-image-background': () => ({ fields: { image: '' } }),
  'remove-image-object': () => ({ fields: { image: '', mask: '' } }),
  'change-notebook-document': () => ({ fields: { enabled: true } }),
  'add-note': () => ({ fields: { content: 'Built in 1874' } }),
  'change-api-key': () => ({ fields: { name: 'Another name' } }),
  'change-webhook': () => ({ fields: { isOn: true } }),
  'rename-creation': () => ({ fields: { favourite: true } }),
  'save-search': () => ({ fields: { filter: { search: 'rivers' } } }),
  'remove-account': () => ({ fields: { password: PASSWORD } }),
  // To cancel a cancelled job succeeds; all others may have ended.
  'cancel-job': (_, { users }) => ({ params: { id: users.premium.jobs.at(-1) } }),
  'admin-cancel-job': (_, { users }) => ({ params: { id: users.premium.jobs.at(-1) } }),
  'admin-set-limits': () => ({
    fields: {
      limits: {
        unfinishedJobs: 5,
        storageBytes: null,
        until: new Date(Date.now() + 86_400_000).toISOString(),
      },
    },
  }),
  'admin-act-on-jobs': (_, { managed }) => ({ fields: { filter: { user: managed[0]!.id }, count: 0 } }),
  'admin-delete-user': ({ id }) => ({ fields: { confirm: id } }),
  'admin-revoke-key': ({ id }, { managed }) => ({
    params: { key: managed.find((user) => user.id === id)!.apiKeys[0] },
  }),
  'admin-decide': () => ({ fields: { decision: 'takedown' } }),
};

interface Completion {
  params?: object;
  fields?: object;
}

/** Requests of one operation: valid by its schemas, or broken in one to three ways. */
export function requestsOf(operation: Operation, world: World): Arbitrary<FuzzRequest> {
  const { free, premium, program, operator, leaver } = world.users;
  const own = CHANGES_ACCOUNT.includes(operation.id)
    ? [leaver]
    : [free, premium, premium, program, program, operator];
  const users = isOperators(operation) ? [...own, operator, operator, operator, operator] : own;
  return fc
    .oneof(
      { weight: 7, arbitrary: fc.constantFrom(...users) },
      { weight: 1, arbitrary: fc.constant(undefined) },
    )
    .chain((user) => fc.boolean().chain((isMinimal) => drafts(operation, world, { user, isMinimal })))
    .chain((draft) => maybeBroken(draft, operation.id));
}

/** Requests of one operation that should succeed, as far as one can tell from its schemas and the user's data. */
export function validRequestsOf(operation: Operation, world: World): Arbitrary<FuzzRequest> {
  const { premium, operator, leaver } = world.users;
  const owner = CHANGES_ACCOUNT.includes(operation.id) ? leaver : premium;
  const user = isOperators(operation) ? operator : owner;
  return drafts(operation, world, { user, isMinimal: true, isOwn: true }).map((draft) =>
    finish(operation.id, draft),
  );
}

/** A request as it is, or broken in one to three ways. */
export const maybeBroken = (draft: Draft, from: string): Arbitrary<FuzzRequest> =>
  fc.oneof(fc.constant([]), changes(draft)).map((broken) => {
    for (const change of broken) change(draft);
    return finish(from, draft);
  });

interface Sender {
  user: FuzzUser | undefined;
  /** As in {@link Values}; then files are valid, and bodies complete. */
  isMinimal: boolean;
  /** True for ids of the user alone; else some are of another user. */
  isOwn?: boolean;
}

/** Requests that fit the schemas of an operation. */
export function drafts(
  operation: Operation,
  world: World,
  { user, isMinimal, isOwn = false }: Sender,
): Arbitrary<Draft> {
  const { document, files } = world;
  const values: Values = { pools: poolsOf(operation, world, { user, isOwn }), isMinimal };
  const parameters = (where: string, required?: boolean) =>
    fc.record(
      Object.fromEntries(
        operation.parameters
          .filter((parameter) => parameter.in === where)
          .filter((parameter) => !isMinimal || parameter.required || parameter.name === 'Prefer')
          .map(({ name, schema }) => [name, fitting(document, schema, values, name)]),
      ),
      required ? {} : { requiredKeys: [] },
    ) as Arbitrary<Record<string, unknown>>;
  const complete = isMinimal ? COMPLETIONS[operation.id] : undefined;
  return parameters('path', true).chain((generated) => {
    const { params, fields } = complete?.(generated, world) ?? {};
    const bodies = Object.entries(operation.bodies).map(([type, { schema }]) =>
      fitting(document, schema, values).chain((generatedBody) => {
        const body = fields ? { ...(generatedBody as object), ...fields } : generatedBody;
        return type === 'application/json'
          ? fc.constant<Body>({ json: body })
          : partsOf(body as object, filesFor(operation, files), isMinimal).map((form): Body => ({ form }));
      }),
    );
    return fc
      .record({
        params: fc.constant<Record<string, unknown>>({ ...generated, ...params }),
        query: parameters('query', isMinimal),
        headers: parameters('header', isMinimal),
        body: bodies.length > 0 ? fc.oneof(...bodies) : fc.constant<Body>({}),
      })
      .map((parts) => toDraft(operation, user, parts));
  });
}

interface Parts {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  headers: Record<string, unknown>;
  body: Body;
}

const toDraft = (
  { method, path }: Operation,
  user: FuzzUser | undefined,
  { params, query, headers, body }: Parts,
): Draft => ({
  user,
  method,
  path: path.replace(/\{(\w+)\}/g, (_, name: string) => encode(String(params[name]))),
  query: Object.entries(query).map(([name, value]) => `${encode(name)}=${encode(String(value))}`),
  headers: Object.entries(headers).map(([name, value]): [string, string] => [name, latin1(String(value))]),
  ...structuredClone(body),
});

/** Values for parameters and fields by name: mostly the user's own, some of another user. */
function poolsOf(
  operation: Operation,
  world: World,
  { user, isOwn }: Pick<Sender, 'user' | 'isOwn'>,
): Values['pools'] {
  const { stranger, managed } = world;
  // Operators have no data of their own.
  const owner = isOperators(operation) ? world.users.premium : (user ?? stranger);
  const both = (list: (user: FuzzUser) => string[]) =>
    isOwn ? list(owner) : [...list(owner), ...list(owner), ...list(stranger)];
  const managedIds = managed.map(({ id }) => id);
  const creations = [...both((of) => of.creations), ...owner.images, ...owner.images, ...owner.images];
  // The first path that the operation's path begins with decides.
  const idsByPath: [path: string, ids: string[]][] = [
    ['/api/jobs', both(({ jobs }) => jobs)],
    ['/api/notebooks', both(({ notebooks }) => notebooks)],
    ['/api/keys', both(({ apiKeys }) => apiKeys)],
    ['/api/webhooks', both(({ webhooks }) => webhooks)],
    ['/api/batches', both(({ batches }) => batches)],
    ['/api/flows', both(({ flows }) => flows)],
    ['/api/user/searches', both(({ searches }) => searches)],
    ['/api/user/voices', both(({ voices }) => voices)],
    ['/api/user/creations/{id}/content', both(({ shared }) => shared.map(({ id }) => id))],
    ['/api/user/creations/{id}/share', both(({ shared }) => shared.map(({ id }) => id))],
    ['/api/user/creations/{id}/versions', both(({ images }) => images.slice(-1))],
    ['/api/user/creations/{id}/publish', both(({ images }) => images)],
    ['/api/user/creations/{id}/restore', both(({ deleted }) => deleted)],
    ['/api/user/creations/{id}/appeal', both(({ hidden }) => hidden)],
    ['/api/community', stranger.images],
    ['/c/', both(({ images }) => images)],
    ['/api/admin/jobs/{id}/files', both(({ uploads }) => uploads)],
    ['/api/admin/jobs', both(({ jobs }) => jobs)],
    ['/api/admin/users', managedIds],
  ];
  // Everyone may read what has a link, so nobody gets a link of the stranger.
  const { shared, zips } = user ? owner : world.users.premium;
  const zip = Object.keys(zips).find((folder) => operation.path.startsWith(`/files/${folder}/`));
  return {
    id: idsByPath.find(([path]) => operation.path.startsWith(path))?.[1] ?? creations,
    ids: operation.path.includes('/notes/') ? both(({ notes }) => notes) : creations,
    version: both(({ versions }) => versions),
    base: both(({ versions }) => versions.slice(-1)),
    creation: both(({ images }) => images),
    token: shared.map(({ token }) => token),
    key: zip ? zips[zip as keyof FuzzUser['zips']] : both(({ fileKeys }) => fileKeys),
    deliveryId: both(({ deliveries }) => deliveries),
    notebook_id: both(({ notebooks }) => notebooks),
    documentId: operation.path.startsWith('/api/notebooks')
      ? both(({ notebookDocuments }) => notebookDocuments)
      : both(({ documents }) => documents.map(({ id }) => id)),
    noteId: both(({ notes }) => notes),
    notes: both(({ notes }) => notes),
    document_id: both(({ documents }) => documents.map(({ id }) => id)),
    file_name: both(({ documents }) => documents.map(({ name }) => name)),
    name: operation.id === 'get-pdf-chat-attachment' ? [ATTACHMENT] : [],
    page: [1],
    n: [1, 2, 3],
    user: managedIds,
    confirm: managedIds,
    field: ['pdf'],
    from: operation.id === 'admin-costs' ? ['2026-11-01'] : [],
    to: operation.id === 'admin-costs' ? ['2026-11-30'] : [],
    url: ['https://receiver.invalid/fuzz'],
    cursor: both(({ cursors }) => cursors),
    lines: LINES,
    password: [PASSWORD],
    prompt: PROMPTS,
    // What a user saves is later in the user's own list.
    search: [
      ...['rivers', 'lighthouse hills', owner.secret],
      ...(operation.method === 'GET' ? [stranger.secret] : []),
    ],
    type: ['article', 'image', 'blog-title'],
    Prefer: isOwn
      ? ['respond-async']
      : ['respond-async', 'respond-async', 'respond-async', 'wait=1', 'wait=0', 'return=minimal'],
    'Idempotency-Key': ['one', 'two', 'three'],
    'If-Match': ['"1"', '"2"'],
  };
}

/** The files of a request; the route that writes resumes takes Word documents. */
const filesFor = ({ path }: Operation, files: FuzzFiles): FuzzFiles =>
  path.endsWith('/resume') ? { ...files, resume: files.word } : files;

/** Form parts: a text for each field, or a file where the field takes one. */
function partsOf(value: object, files: FuzzFiles, areValid: boolean): Arbitrary<FormPart[]> {
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
        { weight: areValid ? 0 : 1, arbitrary: broken },
      );
    }),
  );
}
