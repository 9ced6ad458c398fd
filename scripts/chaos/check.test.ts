import { describe, expect, it } from '@jest/globals';
import { checkRemains, checkRound } from './check.ts';
import type { JobRow, Remains } from './evidence.ts';
import { newLog, type UserLog, type SentBatch, type ReceivedJob, type TabLog } from './log.ts';
import { markCompleteTabs } from './live-rules.ts';
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

const received = (changes: Partial<ReceivedJob> = {}): ReceivedJob => ({
  id: 'job-1',
  status: 'succeeded',
  attempts: 2,
  credits: 1,
  revision: 7,
  result: { content: TEXT, creationId: 'creation-1' },
  error: null,
  ...changes,
});

/** A round without violations: Ada has an article from its second attempt, Bob a batch, a group, a version and a flow. */
function round(): Evidence & { ada: UserLog; bob: UserLog; tab: TabLog; batch: SentBatch } {
  const [ada, bob] = [
    newLog('ada', 'ada@example.com', 'Ada', 'free'),
    newLog('bob', 'bob@example.com', 'Bob', 'premium'),
  ];
  const tab: TabLog = {
    name: 'tab 1 of Ada',
    jobs: [received({ status: 'running', revision: 3, result: null }), received()],
    deltas: [
      { id: 'job-1', attempt: 1, offset: 0, text: 'Another text', connection: 1 },
      { id: 'job-1', attempt: 2, offset: 0, text: TEXT.slice(0, 9), connection: 1 },
      { id: 'job-1', attempt: 2, offset: 9, text: TEXT.slice(9), connection: 1 },
    ],
    batches: [],
    accounts: [{ userId: 'ada', remaining: 29 }],
    view: new Map([['job-1', received()]]),
    connections: 1,
    isConnected: true,
    isComplete: false,
    socket: [],
    isOpen: true,
  };
  ada.tabs.push(tab);
  ada.reads.push(received({ status: 'running', revision: 4, result: null, partial: TEXT.slice(0, 9) }));
  ada.accepted.push({ jobId: 'job-1', tool: 'article', marker: 'm1', key: 'k1', retryOf: null });
  // Bob sent one of two pictures, and requested two more pictures, the second with a source.
  const batch: SentBatch = {
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
  // The operator retried a job twice at once, cancelled one too late, and suspended Bob without an answer.
  const operator = newLog('olga', 'olga@example.com', 'Olga', 'free');
  operator.acts.push(
    { action: 'job.retry', target: 'first', reason: 'act 1', status: 200 },
    { action: 'job.retry', target: 'first', reason: 'act 2', status: 200 },
    { action: 'job.cancel', target: 'job-1', reason: 'act 3', status: 409 },
    { action: 'user.suspend', target: 'bob', reason: 'act 4', status: null },
  );
  const step = { flowId: 'flow-1', credits: 0, started: false, leftOut: false, isReady: false };
  const image = { userId: 'bob', prompt: '', isDeleted: false, madeFrom: null };
  return {
    ada,
    bob,
    tab,
    batch,
    users: [ada, bob],
    operator,
    rows: {
      users: [
        { id: 'ada', pictureKey: null, isSuspended: false },
        { id: 'bob', pictureKey: null, isSuspended: false },
      ],
      jobs: [
        row({ key: 'k1' }),
        row({ ...ofBob, id: 'sent-1', batchId: 'batch-1' }),
        row({ ...ofBob, id: 'group-1', groupId: 'g', key: 'retry-of-first-1', retryOf: 'first' }),
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
      audit: [
        { action: 'job.retry', target: 'first', reason: 'act 1', details: { jobId: 'group-1' } },
        {
          action: 'job.retry',
          target: 'first',
          reason: 'act 2',
          details: { jobId: 'group-1', changed: false },
        },
        {
          action: 'job.cancel',
          target: 'job-1',
          reason: 'act 3',
          details: { refused: 'JOB_NOT_CANCELLABLE' },
        },
      ],
    },
  };
}

type Round = ReturnType<typeof round>;

const http = (changes: Partial<UserLog['http'][0]>): UserLog['http'][0] => ({
  method: 'GET',
  path: '/api/jobs',
  status: 200,
  code: null,
  retryAfter: false,
  body: null,
  ...changes,
});

it('finds nothing in a round without violations', () => {
  expect(checkRound(round())).toEqual([]);
});

it('accepts a missing question after its conversation was deleted', () => {
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

it('accepts a complete tab that later faults disconnected', () => {
  const evidence = round();
  markCompleteTabs(evidence);
  evidence.tab.isConnected = false;
  expect(checkRound(evidence)).toEqual([]);
});

describe('the checker finds', () => {
  it.each<[string, (evidence: Round) => unknown, RegExp]>([
    [
      'an accepted job without a row',
      ({ ada }) =>
        ada.accepted.push({ jobId: 'lost', tool: 'article', marker: 'm2', key: null, retryOf: null }),
      /lost of Ada was accepted, but has no row/,
    ],
    [
      'a missing question without a deleted conversation',
      ({ bob }) =>
        bob.accepted.push({ jobId: 'asked', tool: 'chat', marker: 'm3', key: null, retryOf: null }),
      /asked of Bob was accepted, but has no row/,
    ],
    [
      'a job that does not end',
      ({ rows }) => (rows.jobs[0] = row({ key: 'k1', status: 'running' })),
      /has not ended/,
    ],
    [
      'a job with two different ends',
      ({ tab }) => tab.jobs.push(received({ status: 'failed', revision: 6, result: null })),
      /sent as failed, it is succeeded/,
    ],
    [
      'a job that continues after its end',
      ({ tab }) => tab.jobs.push(received({ revision: 2 })),
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
    ['a job without a charge', ({ rows }) => rows.entries.pop(), /of the free plan has 0 charges/],
    [
      'a charge without its job',
      ({ rows }) =>
        rows.entries.push({ userId: 'ada', month: '2026-11-01', kind: 'charge', amount: -1, jobId: 'job-9' }),
      /names job job-9, which has no row/,
    ],
    [
      'credits below zero',
      ({ tab }) => (tab.accounts[0]!.remaining = -1),
      /received a balance of -1 credits/,
    ],
    [
      'two creations of a job',
      ({ rows }) => rows.creations.push({ ...rows.creations[0]!, id: 'creation-2' }),
      /has more than one creation/,
    ],
    ['a result whose creation is missing', ({ rows }) => rows.creations.shift(), /names creation creation-1/],
    [
      'an event with a newer revision than the row',
      ({ tab }) => tab.jobs.push(received({ revision: 8 })),
      /revision 8, was sent, the row has 7/,
    ],
    [
      'an event that contradicts the row of its revision',
      ({ tab }) => (tab.jobs[1] = received({ credits: 0 })),
      /sent as succeeded, attempt 2, 0 credits, the row is/,
    ],
    [
      'decreasing attempts',
      ({ tab }) => tab.jobs.push(received({ status: 'running', attempts: 1, revision: 5, result: null })),
      /attempt 1 after attempt 2/,
    ],
    [
      'a result that differs from the row',
      ({ tab }) => (tab.jobs[1] = received({ result: { content: 'Another' } })),
      /another result/,
    ],
    [
      'a text that contradicts the result',
      ({ tab }) => (tab.deltas[2]!.text = ' rot on balconies.'),
      /the result contradicts a text at 9: sent .*rot.*, stored .*grow/,
    ],
    [
      'a text of an earlier attempt with the number of the last',
      ({ tab }) => (tab.deltas[0]!.attempt = 2),
      /the result contradicts a text at 0/,
    ],
    [
      'a text of an attempt that did not happen',
      ({ tab }) => (tab.deltas[2]!.attempt = 3),
      /attempt 3 .* received a text/,
    ],
    [
      'two texts for one offset',
      ({ tab }) => tab.deltas.push({ ...tab.deltas[0]!, text: 'A third text' }),
      /received two texts for the same offset/,
    ],
    [
      'a partial text that is not in the result',
      ({ ada }) => (ada.reads[0]!.partial = 'Potatoes'),
      /the answer about job job-1 contradicts its result/,
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
      'a 503 without Retry-After',
      ({ ada }) => ada.http.push(http({ status: 503, code: 'UNAVAILABLE' })),
      /without Retry-After/,
    ],
    [
      'a failure without a code',
      ({ ada }) => ada.http.push(http({ status: 404 })),
      /answered 404 without a code/,
    ],
    [
      'a key with two jobs',
      ({ ada, rows }) => {
        ada.accepted.push({ jobId: 'job-2', tool: 'article', marker: 'm1', key: 'k1', retryOf: null });
        rows.jobs.push(row({ id: 'job-2', key: 'k1' }));
      },
      /the key k1 of Ada names 2 jobs/,
    ],
    [
      'a tab with an outdated job',
      ({ tab }) => tab.view.set('job-1', received({ status: 'running', revision: 4 })),
      /tab 1 of Ada shows running for generate-article job job-1, which is succeeded/,
    ],
    ['a tab without a connection', ({ tab }) => (tab.isConnected = false), /did not connect again/],
    [
      'a deleted creation that exists',
      ({ ada }) => ada.deletedCreations.add('creation-1'),
      /was deleted, but exists/,
    ],
    [
      'a creation that is deleted without a request',
      ({ rows }) => (rows.creations[0]!.isDeleted = true),
      /is deleted without a request/,
    ],
    [
      'a deleted account that exists',
      ({ ada }) => (ada.deletedAccount = 'yes'),
      /the account of Ada was deleted, but exists/,
    ],
    ['a missing account', ({ rows }) => rows.users.shift(), /the account of Ada is missing/],
    [
      'a received picture that is missing',
      ({ rows }) => Object.assign(rows.items[0]!, { sent: false, jobId: 'sent-3' }),
      /picture 1 of batch batch-1 of Bob was received, but is missing/,
    ],
    [
      'a sent picture without a job',
      ({ rows }) => (rows.items[0]!.jobId = 'sent-3'),
      /picture 1 .* was sent, but has no job/,
    ],
    [
      'a picture that is skipped without a request',
      ({ batch }) => (batch.cancelled = 'no'),
      /picture 2 .* is skipped without a request/,
    ],
    [
      'a missing picture of a cancelled batch',
      ({ rows }) => (rows.items[1]!.leftOut = false),
      /picture 2 .* is missing after the batch was cancelled/,
    ],
    [
      'a batch without all its pictures',
      ({ rows }) => rows.items.pop(),
      /batch batch-1 of Bob has 1 pictures/,
    ],
    [
      'a key with two batches',
      ({ rows }) => rows.batches.push({ ...rows.batches[0]!, id: 'batch-2' }),
      /the key k2 of bob has 2 batches/,
    ],
    [
      'a key with two flows',
      ({ rows }) => rows.flows.push({ ...rows.flows[0]!, id: 'flow-2' }),
      /the key k6 of bob has 2 flows/,
    ],
    [
      'a ready step that did not start',
      ({ rows }) => Object.assign(rows.steps[1]!, { leftOut: false, isReady: true }),
      /step 2 of flow flow-1 can start, but did not/,
    ],
    [
      'a skipped step without a refund',
      ({ rows }) => {
        const charge = { userId: 'bob', month: '2026-11-01', kind: 'charge', amount: -1 };
        rows.entries.push({ ...charge, jobId: 'step-2' });
      },
      /step 2 of flow flow-1 costs 0, its entries 1/,
    ],
    [
      'a skipped picture without a refund',
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
      'a job of a batch without a picture',
      ({ rows }) => rows.jobs.push(row({ id: 'stray', userId: 'bob', credits: 0, batchId: 'batch-1' })),
      /job stray of batch batch-1 succeeded, but belongs to none of its pictures/,
    ],
    [
      'a ZIP without one of its pictures',
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
      /batch batch-9, revision 1, was sent as/,
    ],
    [
      'a batch of another user',
      ({ tab }) => tab.batches.push({ id: 'batch-1', revision: 1, counts: {} }),
      /Ada received batch batch-1/,
    ],
    [
      'an incomplete group of jobs',
      ({ rows }) => (rows.jobs[3]!.groupId = null),
      /the group of job group-1 has 1 jobs, not 2/,
    ],
    [
      'a creation without its source',
      ({ rows }) => (rows.creations[2]!.madeFrom = null),
      /creation creation-c was made from creation-b, but names null/,
    ],
    [
      'a saved version that is missing',
      ({ rows }) => Object.assign(rows.versions[1]!, { id: 'version-3' }),
      /version version-2 of Bob was saved, but does not exist/,
    ],
    [
      'a deleted version that exists',
      ({ bob }) => (bob.versions[0]!.state = 'deleted'),
      /version version-2 of Bob was deleted, but exists/,
    ],
    [
      'a creation without a current version',
      ({ rows }) => (rows.versions[1]!.isCurrent = false),
      /creation creation-b has \/files\/b2/,
    ],
    ['a creation without its first version', ({ rows }) => rows.versions.shift(), /lost its first version/],
    [
      'a violation that a client found',
      ({ ada }) => ada.violations.push('read another’s job'),
      /Ada: read another’s job/,
    ],
    [
      'an act without its entry',
      ({ rows }) => rows.audit.shift(),
      /act 1\) was answered 200, but has no entry/,
    ],
    ['an act with two entries', ({ rows }) => rows.audit.push(rows.audit[2]!), /act 3\) has 2 entries/],
    [
      'a refused act that is in the log as done',
      ({ rows }) => (rows.audit[2]!.details = {}),
      /act 3\) was answered 409, but its entry says/,
    ],
    [
      'an entry without an act',
      ({ rows }) => rows.audit.push({ ...rows.audit[0]!, reason: 'act 9' }),
      /is in the log without an act/,
    ],
    [
      'an act on another job',
      ({ rows }) => (rows.audit[0]!.target = 'second'),
      /is in the log as job.retry of second/,
    ],
    [
      'a retry without an entry',
      ({ rows }) => (rows.audit[0]!.details = { jobId: 'group-9' }),
      /group-1 was retried by an operator without an entry/,
    ],
    [
      'a cancelled job that is not',
      ({ rows }) => (rows.audit[2]!.details = {}),
      /job-1 is succeeded, not cancelled as the log says/,
    ],
    [
      'a suspension that did not end',
      ({ rows }) => (rows.users[1]!.isSuspended = true),
      /user bob is still suspended/,
    ],
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
  currentKeys: ['image-key'],
  versionKeys: ['image-key'],
  pictureKeys: ['picture-key'],
  documentKeys: [],
  previews: [],
  queueEntries: [],
  traces: [],
  problems: [],
});

describe('at the end, the checker finds', () => {
  it('nothing in consistent data', () => expect(checkRemains(remains())).toEqual([]));

  it.each<[string, (left: Remains) => unknown, RegExp]>([
    ['an object without a row', ({ stored }) => stored.push('stray'), /object stray has no row/],
    ['a row without its object', ({ stored }) => stored.shift(), /image image-key has a row, but no object/],
    ['an image without its creation', (left) => (left.creationIds = []), /image image-key is unused/],
    ['a picture without a user', (left) => (left.pictureKeys = []), /picture picture-key is unused/],
    [
      'a version without a row',
      ({ objects }) => Object.assign(objects[0]!, { key: 'other-key', kind: 'version' }),
      /version other-key is unused/,
    ],
    [
      'a version without its object',
      ({ versionKeys }) => versionKeys.push('lost-key'),
      /lost-key is referenced, but has no row/,
    ],
    ['an upload', ({ objects }) => (objects[0]!.kind = 'upload'), /upload image-key is unused/],
    ['a preview', ({ previews }) => previews.push('preview-1'), /preview preview-1 is not deleted/],
    ['a queue entry', ({ queueEntries }) => queueEntries.push('job-1'), /the queue still has job-1/],
    ['a deleted text', ({ traces }) => traces.push('jobs: m1'), /a deleted text remains: jobs: m1/],
    ['a program that ended', ({ problems }) => problems.push('api 1 ended'), /api 1 ended/],
  ])('%s', (_, corrupt, expected) => {
    const left = remains();
    corrupt(left);
    expect(checkRemains(left)).toContainEqual(expect.stringMatching(expected));
  });
});
