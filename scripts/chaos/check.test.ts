import { describe, expect, it } from '@jest/globals';
import { checkRemains, checkRound, type Evidence } from './check.ts';
import type { JobRow, Remains } from './evidence.ts';
import { newLog, type PersonLog, type SeenJob, type TabLog } from './log.ts';

const TEXT = 'Tomatoes grow on balconies.';

const row = (changes: Partial<JobRow> = {}): JobRow => ({
  id: 'job-1',
  userId: 'ada',
  tool: 'generate-article',
  status: 'succeeded',
  stage: 'done',
  age: 3,
  attempts: 2,
  credits: 1,
  revision: 7,
  result: { content: TEXT, creationId: 'creation-1' },
  key: null,
  retryOf: null,
  ...changes,
});

const seen = (changes: Partial<SeenJob> = {}): SeenJob => ({
  id: 'job-1',
  status: 'succeeded',
  attempts: 2,
  credits: 1,
  revision: 7,
  result: { content: TEXT, creationId: 'creation-1' },
  error: null,
  ...changes,
});

/** A round in which Ada had one article, at its second attempt, and Bob did nothing; every promise is kept. */
function round(): Evidence & { ada: PersonLog; bob: PersonLog; tab: TabLog } {
  const [ada, bob] = [
    newLog('ada', 'ada@example.com', 'Ada', 'free'),
    newLog('bob', 'bob@example.com', 'Bob', 'premium'),
  ];
  const tab: TabLog = {
    name: 'tab 1 of Ada',
    jobs: [seen({ status: 'running', revision: 3, result: null }), seen()],
    deltas: [
      { id: 'job-1', attempt: 1, offset: 0, text: 'Another text', connection: 1 },
      { id: 'job-1', attempt: 2, offset: 0, text: TEXT.slice(0, 9), connection: 1 },
      { id: 'job-1', attempt: 2, offset: 9, text: TEXT.slice(9), connection: 1 },
    ],
    accounts: [{ userId: 'ada', remaining: 29 }],
    view: new Map([['job-1', seen()]]),
    connections: 1,
    isConnected: true,
    isOpen: true,
  };
  ada.tabs.push(tab);
  ada.reads.push(seen({ status: 'running', revision: 4, result: null, partial: TEXT.slice(0, 9) }));
  ada.accepted.push({ jobId: 'job-1', tool: 'article', marker: 'm1', key: 'k1', retryOf: null });
  return {
    ada,
    bob,
    tab,
    people: [ada, bob],
    rows: {
      users: [
        { id: 'ada', pictureKey: null },
        { id: 'bob', pictureKey: null },
      ],
      jobs: [row({ key: 'k1' })],
      entries: [
        { userId: 'ada', month: '2026-11-01', kind: 'grant', amount: 30, jobId: null },
        { userId: 'ada', month: '2026-11-01', kind: 'charge', amount: -1, jobId: 'job-1' },
      ],
      balances: [{ userId: 'ada', month: '2026-11-01', granted: 30, balance: 29 }],
      creations: [{ id: 'creation-1', userId: 'ada', jobId: 'job-1', prompt: 'm1', isDeleted: false }],
    },
  };
}

type Round = ReturnType<typeof round>;

const http = (changes: Partial<PersonLog['http'][0]>): PersonLog['http'][0] => ({
  method: 'GET',
  path: '/api/jobs',
  status: 200,
  code: null,
  retryAfter: false,
  body: null,
  ...changes,
});

it('finds nothing where every promise is kept', () => {
  expect(checkRound(round())).toEqual([]);
});

it('misses no question whose conversation its user deleted', () => {
  const evidence = round();
  evidence.bob.accepted.push({ jobId: 'asked', tool: 'chat', marker: 'm3', key: null, retryOf: null });
  evidence.bob.http.push({
    method: 'DELETE',
    path: '/api/ai/pdf-chat-history',
    status: 200,
    code: null,
    retryAfter: false,
    body: null,
  });
  expect(checkRound(evidence)).toEqual([]);
});

describe('the checker finds', () => {
  it.each<[string, (evidence: Round) => unknown, RegExp]>([
    [
      'an accepted job without a row',
      ({ ada }) =>
        ada.accepted.push({ jobId: 'gone', tool: 'article', marker: 'm2', key: null, retryOf: null }),
      /gone of Ada was accepted, and has no row/,
    ],
    [
      'a question that vanished though its user cleared no chat',
      ({ bob }) =>
        bob.accepted.push({ jobId: 'asked', tool: 'chat', marker: 'm3', key: null, retryOf: null }),
      /asked of Bob was accepted, and has no row/,
    ],
    [
      'a job that does not end',
      ({ rows }) => (rows.jobs[0] = row({ key: 'k1', status: 'running' })),
      /has not ended/,
    ],
    [
      'a job that was told to have ended in two ways',
      ({ tab }) => tab.jobs.push(seen({ status: 'failed', revision: 6, result: null })),
      /told as failed, it is succeeded/,
    ],
    [
      'a job that goes on after its end',
      ({ tab }) => tab.jobs.push(seen({ revision: 2 })),
      /revision 3, is running after succeeded/,
    ],
    ['a second charge', ({ rows }) => rows.entries.push(rows.entries[1]!), /was charged 2 times/],
    [
      'a balance that is not the sum of its entries',
      ({ rows }) => (rows.balances[0]!.balance = 30),
      /add up to 29, the balance is 30/,
    ],
    [
      'a failed job that was not refunded',
      ({ rows }) => (rows.jobs[0] = row({ key: 'k1', status: 'failed', result: null })),
      /failed .* was not refunded/,
    ],
    [
      'a refund of a job that succeeded',
      ({ rows }) =>
        rows.entries.push({ userId: 'ada', month: '2026-11-01', kind: 'refund', amount: 1, jobId: 'job-1' }),
      /succeeded .* was refunded/,
    ],
    ['a job that was not charged', ({ rows }) => rows.entries.pop(), /of the free plan has 0 charges/],
    [
      'a charge whose job is gone',
      ({ rows }) =>
        rows.entries.push({ userId: 'ada', month: '2026-11-01', kind: 'charge', amount: -1, jobId: 'job-9' }),
      /names job job-9, which has no row/,
    ],
    ['credits below zero', ({ tab }) => (tab.accounts[0]!.remaining = -1), /was told of -1 credits/],
    [
      'two creations of a job',
      ({ rows }) => rows.creations.push({ ...rows.creations[0]!, id: 'creation-2' }),
      /left more than one creation/,
    ],
    ['a result whose creation is missing', ({ rows }) => rows.creations.pop(), /names creation creation-1/],
    [
      'an event of a revision that the row does not have',
      ({ tab }) => tab.jobs.push(seen({ revision: 8 })),
      /revision 8, was told, the row has 7/,
    ],
    [
      'an event that the row of its revision contradicts',
      ({ tab }) => (tab.jobs[1] = seen({ credits: 0 })),
      /told as succeeded, attempt 2, 0 credits, the row is/,
    ],
    [
      'attempts that go back',
      ({ tab }) => tab.jobs.push(seen({ status: 'running', attempts: 1, revision: 5, result: null })),
      /attempt 1 after attempt 2/,
    ],
    [
      'a result that is not the row’s',
      ({ tab }) => (tab.jobs[1] = seen({ result: { content: 'Another' } })),
      /another result/,
    ],
    [
      'a text that the result denies',
      ({ tab }) => (tab.deltas[2]!.text = ' rot on balconies.'),
      /the result denies a text at 9: told .*rot.*, stored .*grow/,
    ],
    [
      'a text of an earlier attempt that passes for the last',
      ({ tab }) => (tab.deltas[0]!.attempt = 2),
      /the result denies a text at 0/,
    ],
    [
      'a text of an attempt that was not',
      ({ tab }) => (tab.deltas[2]!.attempt = 3),
      /attempt 3 .* a text came/,
    ],
    [
      'two texts for one place',
      ({ tab }) => tab.deltas.push({ ...tab.deltas[0]!, text: 'A third text' }),
      /two texts came for the same place/,
    ],
    [
      'a text that was read and is not in the result',
      ({ ada }) => (ada.reads[0]!.partial = 'Potatoes'),
      /read with a text that its result denies/,
    ],
    [
      'an event of another user',
      ({ bob, tab }) => bob.tabs.push({ ...tab, name: 'tab 1 of Bob' }),
      /tab 1 of Bob received job job-1/,
    ],
    [
      'an account of another user',
      ({ tab }) => (tab.accounts[0]!.userId = 'bob'),
      /tab 1 of Ada received the account bob/,
    ],
    [
      'an answer of 500',
      ({ ada }) => ada.http.push(http({ status: 500, code: 'INTERNAL' })),
      /GET \/api\/jobs of Ada answered 500/,
    ],
    [
      'a 503 that says no time',
      ({ ada }) => ada.http.push(http({ status: 503, code: 'UNAVAILABLE' })),
      /without Retry-After/,
    ],
    [
      'a failure without a code',
      ({ ada }) => ada.http.push(http({ status: 404 })),
      /answered 404 without a code/,
    ],
    [
      'a key that names two jobs',
      ({ ada, rows }) => {
        ada.accepted.push({ jobId: 'job-2', tool: 'article', marker: 'm1', key: 'k1', retryOf: null });
        rows.jobs.push(row({ id: 'job-2', key: 'k1' }));
      },
      /the key k1 of Ada names 2 jobs/,
    ],
    [
      'a tab that stays behind',
      ({ tab }) => tab.view.set('job-1', seen({ status: 'running', revision: 4 })),
      /tab 1 of Ada shows running of generate-article job job-1, which is succeeded/,
    ],
    ['a tab without a connection', ({ tab }) => (tab.isConnected = false), /did not connect again/],
    [
      'a creation that comes back',
      ({ ada }) => ada.deletedCreations.add('creation-1'),
      /was deleted, and is there/,
    ],
    [
      'a creation that nobody deleted',
      ({ rows }) => (rows.creations[0]!.isDeleted = true),
      /is deleted, and nobody did it/,
    ],
    [
      'an account that is still there',
      ({ ada }) => (ada.deletedAccount = 'yes'),
      /the account of Ada was deleted, and is there/,
    ],
    ['an account that went by itself', ({ rows }) => rows.users.shift(), /the account of Ada is gone/],
    ['what a client saw', ({ ada }) => ada.violations.push('read another’s job'), /Ada: read another’s job/],
  ])('%s', (_, corrupt, expected) => {
    const evidence = round();
    corrupt(evidence);
    expect(checkRound(evidence)).toContainEqual(expect.stringMatching(expected));
  });
});

const remains = (): Remains => ({
  stored: ['image-key', 'picture-key'],
  objects: [
    { key: 'image-key', kind: 'image', isRemoved: false, isStored: true, creationId: 'creation-1' },
    { key: 'picture-key', kind: 'picture', isRemoved: false, isStored: true, creationId: null },
  ],
  creationIds: ['creation-1'],
  pictureKeys: ['picture-key'],
  documentKeys: [],
  previews: [],
  queueEntries: [],
  traces: [],
  problems: [],
});

describe('at the end, the checker finds', () => {
  it('nothing where all is in order', () => expect(checkRemains(remains())).toEqual([]));

  it.each<[string, (left: Remains) => unknown, RegExp]>([
    ['an object without a row', ({ stored }) => stored.push('stray'), /object stray has no row/],
    ['a row without its object', ({ stored }) => stored.shift(), /image image-key has a row, and no object/],
    [
      'an image without its creation',
      (left) => (left.creationIds = []),
      /image image-key is needed by nothing/,
    ],
    ['a picture of nobody', (left) => (left.pictureKeys = []), /picture picture-key is needed by nothing/],
    ['an upload', ({ objects }) => (objects[0]!.kind = 'upload'), /upload image-key is needed by nothing/],
    ['a preview', ({ previews }) => previews.push('preview-1'), /preview preview-1 is waited for by nobody/],
    ['a queue entry', ({ queueEntries }) => queueEntries.push('job-1'), /the queue still holds job-1/],
    ['a deleted text', ({ traces }) => traces.push('jobs: m1'), /deleted, and still there: jobs: m1/],
    ['a program that ended', ({ problems }) => problems.push('api 1 ended'), /api 1 ended/],
  ])('%s', (_, corrupt, expected) => {
    const left = remains();
    corrupt(left);
    expect(checkRemains(left)).toContainEqual(expect.stringMatching(expected));
  });
});
