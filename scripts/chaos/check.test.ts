import { describe, expect, it } from '@jest/globals';
import { checkRemains, checkRound } from './check.ts';
import type { JobRow, Remains } from './evidence.ts';
import { newLog, type PersonLog, type SeenBatch, type SeenJob, type TabLog } from './log.ts';
import { noteTabsThatShowTheEnd } from './live-rules.ts';
import type { Evidence } from './rule.ts';

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
  batchId: null,
  groupId: null,
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
function round(): Evidence & { ada: PersonLog; bob: PersonLog; tab: TabLog; batch: SeenBatch } {
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
    batches: [],
    accounts: [{ userId: 'ada', remaining: 29 }],
    view: new Map([['job-1', seen()]]),
    connections: 1,
    isConnected: true,
    hasShownTheEnd: false,
    socket: [],
    isOpen: true,
  };
  ada.tabs.push(tab);
  ada.reads.push(seen({ status: 'running', revision: 4, result: null, partial: TEXT.slice(0, 9) }));
  ada.accepted.push({ jobId: 'job-1', tool: 'article', marker: 'm1', key: 'k1', retryOf: null });
  // Bob sent one of two pictures, and two more pictures were made for one request, the second from the first.
  const batch: SeenBatch = {
    ...{ id: 'batch-1', names: ['a.png', 'b.png'], key: 'k2', cancelled: 'yes', zip: ['a.png'] },
    ...{ sent: new Set([1]), leftOut: new Set(), maybeLeftOut: new Set() },
  };
  bob.batches.push(batch);
  bob.versions.push({ id: 'version-2', creationId: 'creation-b', label: 'm4', state: 'saved' });
  bob.accepted.push(
    { jobId: 'group-1', tool: 'group', marker: 'm5', key: null, retryOf: null, groupOf: 2 },
    { jobId: 'group-2', tool: 'group', marker: 'm5', key: null, retryOf: null, source: 'creation-b' },
  );
  const ofBob = { userId: 'bob', credits: 0, result: null };
  const step = { flowId: 'flow-1', credits: 0, started: false, leftOut: false, isReady: false };
  const image = { userId: 'bob', prompt: '', isDeleted: false, madeFrom: null };
  return {
    ada,
    bob,
    tab,
    batch,
    people: [ada, bob],
    rows: {
      users: [
        { id: 'ada', pictureKey: null },
        { id: 'bob', pictureKey: null },
      ],
      jobs: [
        row({ key: 'k1' }),
        row({ ...ofBob, id: 'sent-1', batchId: 'batch-1' }),
        row({ ...ofBob, id: 'group-1', groupId: 'g' }),
        row({ ...ofBob, id: 'group-2', groupId: 'g' }),
      ],
      entries: [
        { userId: 'ada', month: '2026-11-01', kind: 'grant', amount: 30, jobId: null },
        { userId: 'ada', month: '2026-11-01', kind: 'charge', amount: -1, jobId: 'job-1' },
      ],
      balances: [{ userId: 'ada', month: '2026-11-01', granted: 30, balance: 29 }],
      creations: [
        { ...image, id: 'creation-1', userId: 'ada', jobId: 'job-1', prompt: 'm1', content: TEXT },
        { ...image, id: 'creation-b', jobId: 'sent-1', content: '/files/b2' },
        { ...image, id: 'creation-c', jobId: 'group-2', content: '/files/c', madeFrom: 'creation-b' },
      ],
      batches: [{ id: 'batch-1', userId: 'bob', credits: 0, key: 'k2' }],
      items: [
        { batchId: 'batch-1', n: 1, jobId: 'sent-1', name: 'a.jpg', sent: true, leftOut: false },
        { batchId: 'batch-1', n: 2, jobId: 'sent-2', name: 'b.jpg', sent: false, leftOut: true },
      ],
      flows: [{ id: 'flow-1', userId: 'bob', key: 'k6' }],
      steps: [
        { ...step, n: 1, jobId: 'group-1', started: true },
        { ...step, n: 2, jobId: 'step-2', leftOut: true },
      ],
      versions: [
        { id: 'creation-b', creationId: 'creation-b', number: 1, isCurrent: false, content: '/files/b1' },
        { id: 'version-2', creationId: 'creation-b', number: 2, isCurrent: true, content: '/files/b2' },
      ],
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

it('takes a tab that has shown the end for good, whatever the faults of the next round do', () => {
  const evidence = round();
  noteTabsThatShowTheEnd(evidence);
  evidence.tab.isConnected = false;
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
    ['a result whose creation is missing', ({ rows }) => rows.creations.shift(), /names creation creation-1/],
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
    [
      'a picture that was received and is missing',
      ({ rows }) => Object.assign(rows.items[0]!, { sent: false, jobId: 'sent-3' }),
      /picture 1 of batch batch-1 of Bob was received, and is missing/,
    ],
    [
      'a picture that was sent and has no job',
      ({ rows }) => (rows.items[0]!.jobId = 'sent-3'),
      /picture 1 .* was sent, and has no job/,
    ],
    [
      'a picture that is left out by nobody',
      ({ batch }) => (batch.cancelled = 'no'),
      /picture 2 .* is left out, and nobody did it/,
    ],
    [
      'a picture that is missing after its batch was cancelled',
      ({ rows }) => (rows.items[1]!.leftOut = false),
      /picture 2 .* is missing, which was cancelled/,
    ],
    [
      'a batch that was stored without its pictures',
      ({ rows }) => rows.items.pop(),
      /batch batch-1 of Bob has 1 pictures/,
    ],
    [
      'a batch that was made twice for one key',
      ({ rows }) => rows.batches.push({ ...rows.batches[0]!, id: 'batch-2' }),
      /the key k2 of bob has 2 batches/,
    ],
    [
      'a flow that was made twice for one key',
      ({ rows }) => rows.flows.push({ ...rows.flows[0]!, id: 'flow-2' }),
      /the key k6 of bob has 2 flows/,
    ],
    [
      'a step that nobody started',
      ({ rows }) => Object.assign(rows.steps[1]!, { leftOut: false, isReady: true }),
      /step 2 of flow flow-1 can start, and did not/,
    ],
    [
      'a step that was left out and not refunded',
      ({ rows }) => {
        const charge = { userId: 'bob', month: '2026-11-01', kind: 'charge', amount: -1 };
        rows.entries.push({ ...charge, jobId: 'step-2' });
      },
      /step 2 of flow flow-1 costs 0, its entries 1/,
    ],
    [
      'a picture that was left out and not refunded',
      ({ rows }) => {
        rows.batches[0]!.credits = 1;
        rows.entries.push({
          userId: 'bob',
          month: '2026-11-01',
          kind: 'charge',
          amount: -1,
          jobId: 'sent-2',
        });
      },
      /picture 2 of batch batch-1 costs 0, its entries 1/,
    ],
    [
      'a job of a batch that is of none of its pictures',
      ({ rows }) => rows.jobs.push(row({ id: 'stray', userId: 'bob', credits: 0, batchId: 'batch-1' })),
      /job stray of batch batch-1 succeeded, and is of none of its pictures/,
    ],
    [
      'a ZIP that lacks a picture',
      ({ batch }) => (batch.zip = []),
      /the ZIP of batch batch-1 has \[\], its rows \[a\]/,
    ],
    [
      'two states of one revision of a batch',
      ({ tab }) =>
        tab.batches.push(
          { id: 'batch-9', revision: 1, counts: { missing: 1 } },
          { id: 'batch-9', revision: 1, counts: { missing: 0 } },
        ),
      /batch batch-9, revision 1, was told as/,
    ],
    [
      'a batch of another user',
      ({ tab }) => tab.batches.push({ id: 'batch-1', revision: 1, counts: {} }),
      /Ada received batch batch-1/,
    ],
    [
      'half a group of jobs',
      ({ rows }) => (rows.jobs[3]!.groupId = null),
      /the group of job group-1 has 1 jobs, not 2/,
    ],
    [
      'a creation that forgot what it was made from',
      ({ rows }) => (rows.creations[2]!.madeFrom = null),
      /creation creation-c was made from creation-b, and names null/,
    ],
    [
      'a version that vanished',
      ({ rows }) => Object.assign(rows.versions[1]!, { id: 'version-3' }),
      /version version-2 of Bob was saved, and is gone/,
    ],
    [
      'a version that comes back',
      ({ bob }) => (bob.versions[0]!.state = 'deleted'),
      /version version-2 of Bob was deleted, and is there/,
    ],
    [
      'a creation that shows none of its versions',
      ({ rows }) => (rows.versions[1]!.isCurrent = false),
      /creation creation-b shows \/files\/b2/,
    ],
    [
      'a creation without its first version',
      ({ rows }) => rows.versions.shift(),
      /lost what the engine gave/,
    ],
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
  shownKeys: ['image-key'],
  versionKeys: ['image-key'],
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
    [
      'a version of no row',
      ({ objects }) => Object.assign(objects[0]!, { key: 'other-key', kind: 'version' }),
      /version other-key is needed by nothing/,
    ],
    [
      'a version without its object',
      ({ versionKeys }) => versionKeys.push('lost-key'),
      /lost-key is shown, and has no row/,
    ],
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
