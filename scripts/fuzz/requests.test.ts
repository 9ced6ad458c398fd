import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { toolNames } from '#libs/tools/catalogue.js';
import { createOpenApi } from '../../api/docs/openapi.js';
import { ApiDocument, type OpenApi } from './document.ts';
import { mcpRequests } from './mcp.ts';
import { COMPLETIONS, requestsOf, validRequestsOf, type World } from './requests.ts';
import type { FuzzUser } from './users.ts';

const document = new ApiDocument(createOpenApi('http://localhost') as unknown as OpenApi);

/** A user who has one of each kind, with the kind and the user's name in its id. */
function userWithAll(name: string): FuzzUser {
  const one = (kind: string) => [`${kind}-of-${name}`];
  return {
    ...{ name, id: name, email: name, token: name, session: name, cookie: name, secret: name },
    ...{ jobs: one('job'), uploads: one('upload'), creations: one('creation'), images: one('image') },
    ...{ hidden: one('hidden'), deleted: one('deleted'), versions: one('version'), fileKeys: one('file') },
    shared: [{ id: one('shared')[0]!, token: one('token')[0]! }],
    documents: [{ id: one('document')[0]!, name: 'report.pdf' }],
    ...{ notebooks: one('notebook'), notebookDocuments: one('notebook-document'), notes: one('note') },
    ...{ batches: one('batch'), flows: one('flow'), searches: one('search'), voices: one('voice') },
    zips: { batches: one('batch-zip'), creations: one('creation-zip'), exports: one('export') },
    ...{ cursors: one('cursor'), apiKeys: one('key'), webhooks: one('webhook'), deliveries: one('delivery') },
  };
}

const file = Buffer.from('a file');
const world: World = {
  document,
  files: {
    pdf: file,
    resume: file,
    word: file,
    png: file,
    jpeg: file,
    mask: file,
    broken: [file],
  },
  users: {
    free: userWithAll('free'),
    premium: userWithAll('premium'),
    program: userWithAll('program'),
    operator: userWithAll('operator'),
    leaver: userWithAll('leaver'),
  },
  clientId: 'client',
  managed: [userWithAll('managed')],
  stranger: userWithAll('stranger'),
};

const sampleOf = <T>(arbitrary: fc.Arbitrary<T>, numRuns: number) =>
  fc.sample(arbitrary, { seed: 1, numRuns });

describe('a valid request', () => {
  it.each(document.operations.map((operation) => [operation.id, operation] as const))(
    'of %s has an id of its user wherever its path has one',
    (id, operation) => {
      for (const request of sampleOf(validRequestsOf(operation, world), 5)) {
        expect(document.operationOf(request.method, request.target)?.id).toBe(id);
        expect(request.target).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
        if (operation.path.startsWith('/api/admin/')) expect(request.user?.name).toBe('operator');
      }
    },
  );

  it('is completed for operations that exist', () => {
    const ids = document.operations.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(Object.keys(COMPLETIONS)));
  });

  it('has only valid files', () => {
    const operation = document.operations.find(({ id }) => id === 'set-picture')!;
    const broken = { ...world, files: { ...world.files, broken: [Buffer.from('broken')] } };
    for (const { body } of sampleOf(validRequestsOf(operation, broken), 30)) {
      expect(body.toString()).toContain('a file');
      expect(body.toString()).not.toContain('broken');
    }
  });
});

it('sends requests of operators mostly as the operator, and also as others', () => {
  const operation = document.operations.find(({ id }) => id === 'admin-user')!;
  const names = sampleOf(requestsOf(operation, world), 200).map(({ user }) => user?.name);
  expect(new Set(names)).toEqual(new Set(['operator', 'free', 'premium', 'program', undefined]));
  expect(names.filter((name) => name === 'operator').length).toBeGreaterThan(80);
});

it('sends complete bodies among the random requests', () => {
  const operation = document.operations.find((one) => one.id === 'change-note')!;
  const requests = sampleOf(requestsOf(operation, world), 200);
  const complete = requests.filter(
    ({ target, body }) => /note-of-\w+$/.test(target) && body.includes('{"content"'),
  );
  expect(complete.length).toBeGreaterThan(40);
});

it('calls every tool by MCP, with files', () => {
  const bodies = sampleOf(mcpRequests(world), 600).map(({ body }) => body.toString());
  for (const name of toolNames) expect(bodies.join('\n')).toContain(`"name":"${name}"`);
  expect(bodies.some((body) => body.includes('"pdf":{"data":"'))).toBe(true);
});

it('saves no text of the stranger, which would then be in the user’s own list', () => {
  const operation = document.operations.find((one) => one.id === 'save-search')!;
  const requests = sampleOf(requestsOf(operation, world), 300);
  const ofStranger = requests.filter(({ user, body }) => user && body.includes('"search":"stranger"'));
  expect(ofStranger).toEqual([]);
});

it.each(['get-shared-text', 'get-batch-zip-file', 'get-creations-zip-file', 'get-account-export'])(
  'sends no link of the stranger to %s',
  (id) => {
    const operation = document.operations.find((one) => one.id === id)!;
    const targets = sampleOf(requestsOf(operation, world), 200).map(({ target }) => target);
    expect(targets.filter((target) => target.includes('-of-stranger'))).toEqual([]);
    expect(targets.some((target) => target.includes('-of-premium'))).toBe(true);
  },
);
