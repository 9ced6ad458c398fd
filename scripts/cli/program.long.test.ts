import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import type { JobStory } from '#libs/contract/admin.js';
import { createDataSource } from '#libs/database/data-source.js';
import { row } from '../../test/support/sql.ts';
import { chargeCredits, monthOf } from '#libs/billing/credits.js';
import { testDatabase, type TestDatabase } from '../../test/support/database.ts';
import { runCommand } from '../../test/support/run-cli.ts';
import { inRoot } from '../stack/root.ts';
import { systemUser } from './program.js';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';
import { until } from '../../test/support/until.ts';

allowTimeForPrograms();

let database: TestDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  database = await testDatabase();
  dataSource = await createDataSource({ url: database.url }).initialize();
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});
beforeEach(async () => {
  await dataSource.query('DELETE FROM users');
  await dataSource.query('DELETE FROM auth_users');
  await dataSource.query(`INSERT INTO users (id, name, email) VALUES ('ada', 'Ada 🦜', 'ada@example.com')`);
});

const run = (line: string, environment: Record<string, string> = { DATABASE_URL: database.url }) =>
  runCommand(line.split(' ').filter(Boolean), environment);

const parse = <Value>(text: string) => JSON.parse(text) as Value;
const user = () =>
  row<{ plan: string; role: string }>(dataSource, `SELECT plan, role FROM users WHERE id = 'ada'`);

async function addJob(status: 'queued' | 'failed', credits = 1): Promise<string> {
  const id = randomUUID();
  const month = monthOf(new Date());
  await chargeCredits(dataSource, { userId: 'ada', month, amount: 1, jobId: id });
  await dataSource.query(
    `INSERT INTO jobs (id, user_id, tool, queue, title, input, status, priority, credits, charge_month,
       finished_at, error_code, error_message)
     VALUES ($1, 'ada', 'generate-article', 'text', 'A private topic', '{"prompt":"A private topic","length":800}', $2,
       'standard', $3, $4, CASE $2::text WHEN 'failed' THEN now() END,
       CASE $2::text WHEN 'failed' THEN 'PROVIDER_FAILED' END, CASE $2::text WHEN 'failed' THEN 'It failed.' END)`,
    [id, status, credits, month],
  );
  return id;
}

describe('plan and admin', () => {
  it('set the plan by email, regardless of its case', async () => {
    const { status, out, errors } = await run('plan ADA@example.com premium');
    expect({ status, errors }).toEqual({ status: 0, errors: '' });
    expect(out).toBe(
      ['id     ada', 'name   Ada 🦜', 'email  ada@example.com', 'plan   premium', 'role   person', ''].join(
        '\n',
      ),
    );
    expect(await user()).toMatchObject({ plan: 'premium' });
  });

  it('find a user who signed up and made no request', async () => {
    await dataSource.query(
      `INSERT INTO auth_users ("id", "name", "email", "emailVerified") VALUES ('ben', 'Ben', 'ben@example.com', false)`,
    );
    const { status, out } = await run('plan ben@example.com premium --json');
    expect(status).toBe(0);
    expect(parse(out)).toMatchObject({ id: 'ben', plan: 'premium' });
  });

  it('do not set the plan with accounts at Clerk', async () => {
    const clerk = { DATABASE_URL: database.url, CLERK_PUBLISHABLE_KEY: 'pk', CLERK_SECRET_KEY: 'sk' };
    const { status, errors } = await run('plan ada premium', clerk);
    expect(status).toBe(1);
    expect(errors).toMatch(/^With Clerk the plan is not set here/);
    expect(await user()).toMatchObject({ plan: 'free' });
    expect(await run('admin ada', clerk)).toMatchObject({ status: 0 });
  });

  it('give and remove the role of operator', async () => {
    expect(await run('admin ada')).toMatchObject({ status: 0 });
    expect(await user()).toMatchObject({ role: 'admin' });
    expect(await run('admin ada --remove')).toMatchObject({ status: 0 });
    expect(await user()).toMatchObject({ role: 'person' });
  });
});

describe('the audit log', () => {
  const entries = async (words: string[]) =>
    parse<{ operator: string; action: string; target: string; reason: string | null; details: object }[]>(
      (await runCommand(['audit', '--json', ...words], { DATABASE_URL: database.url })).out,
    );

  it.each([
    ['--as anna --reason spam users suspend ada', 'user.suspend'],
    ['plan ada premium --as anna --reason spam', 'user.plan'],
    ['admin --reason spam ada --as anna', 'user.role'],
    ['credits ada --grant 2 --note spam --as anna', 'user.credits'],
    ['password ada --reason spam --as anna', 'user.password-link'],
    ['two-factor ada --remove --reason spam --as anna', 'user.remove-two-factor'],
  ])('has name and reason of %j', async (line, action) => {
    expect(await run(line)).toMatchObject({ status: 0 });
    expect((await entries(['--target', 'ada']))[0]).toMatchObject({
      ...{ operator: 'anna', action, target: 'ada', reason: 'spam' },
    });
  });

  it.each([
    ['users suspend ada', 'user.suspend', 'You cannot suspend yourself.'],
    ['users delete ada --yes', 'user.delete', 'Delete your own account in the account dialog.'],
    ['admin ada --remove', 'user.role', 'You cannot take your own role away.'],
    ['plan ada premium', 'user.plan', null],
  ])('has what is refused for the own account: %s', async (line, action, refusal) => {
    const { status, errors } = await run(`--as ADA@example.com ${line}`);
    expect([status, errors]).toEqual(refusal === null ? [0, ''] : [1, `${refusal}\n`]);
    expect((await entries(['--target', 'ada']))[0]).toMatchObject({
      action,
      details: refusal === null ? { plan: 'premium' } : { refused: 'VALIDATION_FAILED' },
    });
  });

  it('shows what was done and what was refused, also of a job, between two times', async () => {
    await run('--as ada plan ada premium');
    expect(await run('--as ada users suspend ada')).toMatchObject({ status: 1 });
    const shown = async (line: string) =>
      (await run(line)).out
        .split('\n')
        .slice(1, 3)
        .map((text) => text.split(/ {2,}/).slice(1, 4));
    expect(await shown('audit --target ada --limit 2')).toEqual([
      ['ada', 'user.suspend', 'refused: VALIDATION_FAILED'],
      ['ada', 'user.plan', 'done'],
    ]);
    const today = new Date().toISOString().slice(0, 10);
    expect(await shown(`audit --target ada --limit 2 --between ${today} 2999-01-01`)).toHaveLength(2);
    expect((await run(`audit --target ada --between 2020-01-01 ${today}`)).out).toBe(
      'There are no such entries.\n',
    );
    const id = await addJob('failed', 0);
    expect(await run(`jobs cancel ${id} --as anna`)).toMatchObject({ status: 1 });
    expect((await run(`jobs show ${id}`)).out).toMatch(/^anna +job\.cancel +refused: JOB_NOT_CANCELLABLE /m);
  });

  it('has no entry of a change that is not stored', async () => {
    await dataSource.query(`ALTER TABLE audit_log ADD CONSTRAINT full_disk CHECK (reason <> 'full disk')`);
    try {
      const { status } = await runCommand(['admin', 'ada', '--reason', 'full disk'], {
        DATABASE_URL: database.url,
      });
      expect(status).toBe(1);
      expect(await user()).toMatchObject({ role: 'person' });
    } finally {
      await dataSource.query(`ALTER TABLE audit_log DROP CONSTRAINT full_disk`);
    }
  });
});

describe('users list', () => {
  it('says that there are more users, and goes on after the last', async () => {
    await dataSource.query(
      `INSERT INTO users (id, name) SELECT 'user' || n, 'Eve' FROM generate_series(1, 4) AS n`,
    );
    const found = [];
    let more: string | undefined = 'users list --json --limit 2';
    while (more) {
      const { status, out, errors } = await run(more);
      expect(status).toBe(0);
      found.push(...parse<{ id: string }[]>(out).map(({ id }) => id));
      const [, cursor] = /^There are more than these 2 users: .* --cursor (\S+)\.\n$/.exec(errors) ?? [];
      more = cursor && `users list --json --limit 2 --cursor ${cursor}`;
    }
    expect(found.toSorted()).toEqual(['ada', 'user1', 'user2', 'user3', 'user4']);
    expect(await run('users list --cursor wrong')).toMatchObject({ status: 1 });
  });
});

describe('a list', () => {
  async function addPictures() {
    await dataSource.query(
      `INSERT INTO creations (id, user_id, tool, type, prompt, content, engine, published)
       SELECT gen_random_uuid(), 'ada', 'generate-image', 'image', 'A lamp', '/files/x', 'offline', true
       FROM generate_series(1, 3)`,
    );
  }

  it.each([
    [
      'jobs',
      'jobs list',
      async () => [await addJob('queued'), await addJob('queued'), await addJob('queued')],
    ],
    [
      'entries',
      'audit --operator lister',
      async () => {
        for (const flag of ['', ' --remove', '']) await run(`--as lister admin ada${flag}`);
      },
    ],
    ['creations', 'creations reports --show published', addPictures],
  ])('of %s says that there are more, and goes on after the last', async (what, command, add) => {
    await add();
    const all = parse<{ id: unknown }[]>((await run(`${command} --json`)).out).map(({ id }) => id);
    const page = `${command} --json --limit ${Math.ceil(all.length / 2)}`;
    const first = await run(page);
    const more = /^There are more than these \d+ (\w+): .* --cursor (\S+)\.\n$/.exec(first.errors);
    expect(more?.[1]).toBe(what);
    const second = await run(`${page} --cursor ${more?.[2]}`);
    expect(second).toMatchObject({ status: 0, errors: '' });
    expect([first, second].flatMap(({ out }) => parse<{ id: unknown }[]>(out).map(({ id }) => id))).toEqual(
      all,
    );
  });

  it('of jobs takes ages or times', async () => {
    const between = 'jobs list --between 2026-11-27 2026-11-28';
    expect(await run(between)).toMatchObject({ status: 0 });
    for (const age of ['--older 1h', '--newer 1h'])
      expect(await run(`${between} ${age}`)).toMatchObject({ status: 2 });
    for (const age of ['--older 999999d', '--newer 999999d'])
      expect(await run(`jobs list ${age}`)).toMatchObject({ status: 0, errors: '' });
  });
});

describe('users limits', () => {
  it('are given for a time, shown, and ended', async () => {
    const until = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
    expect(
      await run(`users limits ada --jobs 500 --storage 1000 --until ${until} --reason workshop`),
    ).toMatchObject({
      status: 0,
      out: expect.stringMatching(
        /^temporary limit of jobs +500\ntemporary limit of storage \(MB\) +1000\ntemporary limits until +20/m,
      ),
    });
    expect((await run('users show ada')).out).toMatch(/^temporary limit of jobs +500$/m);
    expect(parse((await run('users limits ada --end --json')).out)).toEqual({ id: 'ada', limits: null });
    expect(await run('users limits ada --jobs 5')).toMatchObject({ status: 1 });
    expect(await run('users limits ada --jobs 5 --until 2020-01-01')).toMatchObject({ status: 1 });
    expect(await run('users limits ada --end --jobs 5')).toMatchObject({ status: 2 });
  });
});

describe('password', () => {
  it('gives a link to choose a new password, and logs who it is for', async () => {
    const { status, out, errors } = await run('password ada@example.com --json', {
      DATABASE_URL: database.url,
      PUBLIC_URL: 'https://pressroom.example.com',
    });
    expect([status, parse<{ link: string }>(out).link]).toEqual([
      0,
      expect.stringMatching(/^https:\/\/pressroom\.example\.com\/reset-password\?token=\w{48}$/),
    ]);
    expect(errors).toContain('An operator created a link to reset a password');
    expect(errors).not.toContain('ada@example.com');
  });
});

describe('two-factor and sign-out', () => {
  const clerk = () => ({ DATABASE_URL: database.url, CLERK_PUBLISHABLE_KEY: 'pk', CLERK_SECRET_KEY: 'sk' });
  /** Counts Ben's rows in the tables for sign-ins. */
  const left = () =>
    row<Record<string, number | boolean>>(
      dataSource,
      `SELECT (SELECT count(*)::int FROM auth_two_factors) AS apps, (SELECT count(*)::int FROM auth_passkeys) AS passkeys,
         (SELECT count(*)::int FROM auth_verifications) AS trusted, (SELECT count(*)::int FROM admin_sessions) AS boards,
         (SELECT count(*)::int FROM auth_sessions) AS sessions,
         (SELECT count(*)::int FROM auth_sessions WHERE "method" = 'passkey') AS "passkeySessions",
         (SELECT "twoFactorEnabled" FROM auth_users) AS "isAsked"`,
    );
  const ALL = { apps: 1, passkeys: 1, trusted: 1, boards: 1, sessions: 2, passkeySessions: 1, isAsked: true };

  beforeEach(async () => {
    for (const sql of [
      `DELETE FROM auth_verifications`,
      `INSERT INTO users (id, name, email, role) VALUES ('ben', 'Ben', 'ben@example.com', 'admin')`,
      `INSERT INTO auth_users ("id", "name", "email", "emailVerified", "twoFactorEnabled")
       VALUES ('ben', 'Ben', 'ben@example.com', false, true)`,
      `INSERT INTO auth_two_factors ("id", "secret", "backupCodes", "userId") VALUES ('app', 'x', 'x', 'ben')`,
      `INSERT INTO auth_passkeys ("id", "publicKey", "userId", "credentialID", "counter", "deviceType", "backedUp")
       VALUES ('key', 'x', 'ben', 'x', 0, 'singleDevice', false)`,
      `INSERT INTO auth_verifications ("id", "identifier", "value", "expiresAt")
       VALUES ('trust', 'trust-device-x', 'ben', now() + interval '1 day')`,
      `INSERT INTO admin_sessions (token_hash, user_id, expires_at) VALUES ('x', 'ben', now() + interval '1 day')`,
      `INSERT INTO auth_sessions ("id", "token", "userId", "expiresAt", "updatedAt", "method")
       VALUES ('one', 'one', 'ben', now() + interval '1 day', now(), 'passkey'),
         ('two', 'two', 'ben', now() + interval '1 day', now(), NULL)`,
    ])
      await dataSource.query(sql);
  });

  it('show the second factors of a user without changing them', async () => {
    const { status, out, errors } = await run('two-factor ben@example.com');
    expect({ status, errors }).toEqual({ status: 0, errors: '' });
    expect(out).toMatch(/^authenticator app\s+yes\npasskeys\s+1$/m);
    expect(await left()).toEqual(ALL);
  });

  it('remove all second factors of a user, and log it without the email address', async () => {
    const { status, out, errors } = await run('two-factor ben@example.com --remove --json');
    expect(status).toBe(0);
    expect(parse(out)).toMatchObject({ id: 'ben', authenticatorApp: false, passkeys: 0 });
    expect(parse(errors)).toMatchObject({
      level: 40,
      userId: 'ben',
      msg: expect.stringContaining('removed'),
    });
    expect(errors).not.toContain('@');
    // The sessions continue without a second factor.
    expect(await left()).toEqual({
      apps: 0,
      passkeys: 0,
      trusted: 0,
      boards: 0,
      sessions: 2,
      passkeySessions: 0,
      isAsked: false,
    });
  });

  it('end all sessions of a user and the trust in their browsers, and log it', async () => {
    const { status, out, errors } = await run('sign-out ben@example.com');
    expect(status).toBe(0);
    expect(out).toMatch(/^ended sessions\s+2$/m);
    expect(parse(errors)).toMatchObject({
      level: 40,
      userId: 'ben',
      msg: expect.stringContaining('sessions'),
    });
    expect(await left()).toEqual({ ...ALL, trusted: 0, boards: 0, sessions: 0, passkeySessions: 0 });
  });

  it.each(['two-factor ben --remove', 'sign-out ben'])(
    'are refused with accounts at Clerk: %s',
    async (line) => {
      const { status, errors } = await run(line, clerk());
      expect(status).toBe(1);
      expect(errors).toMatch(/^With Clerk .* are not stored here/);
      expect(await left()).toEqual(ALL);
    },
  );

  it.each(['two-factor nobody --remove', 'sign-out nobody'])('refuse an unknown user: %s', async (line) => {
    expect(await run(line)).toMatchObject({ status: 1, errors: expect.stringContaining('There is no user') });
    expect(await left()).toEqual(ALL);
  });
});

describe('credits', () => {
  it('are shown and granted', async () => {
    expect(parse((await run('credits ada --json')).out)).toMatchObject({
      credits: { allowance: 30, used: 0, remaining: 30 },
    });
    const { status, out } = await run('credits ada@example.com --grant 5');
    expect(status).toBe(0);
    expect(out).toMatch(/^allowance\s+35\nused\s+0\nremaining\s+35\nrenews\s+\d{4}-\d\d-01$/m);
  });

  it('are unlimited on the premium plan', async () => {
    await run('plan ada premium');
    expect((await run('credits ada')).out).toMatch(/^remaining\s+unlimited$/m);
  });

  it.each(['-5', '0', '1.5', 'many', '99999999'])('are not granted for %s', async (grant) => {
    const { status, errors } = await run(`credits ada --grant=${grant}`);
    expect(status).toBe(2);
    expect(errors).toContain('It must be a whole number from 1 to 1000000.');
    expect(parse((await run('credits ada --json')).out)).toMatchObject({ credits: { remaining: 30 } });
  });
});

describe('jobs', () => {
  it('are listed in columns, newest first, without the texts of users', async () => {
    const [failed, queued] = [await addJob('failed', 0), await addJob('queued')];
    await dataSource.query(`UPDATE jobs SET created_at = created_at - interval '1 minute' WHERE id = $1`, [
      failed,
    ]);
    const { status, out } = await run('jobs list');
    expect(status).toBe(0);
    const [headings = '', first = '', second = ''] = out.split('\n');
    expect(first.startsWith(`${queued}  queued  generate-article  ada@example.com`)).toBe(true);
    expect(second.startsWith(`${failed}  failed`)).toBe(true);
    expect(headings.indexOf('CREATED')).toBe(first.search(/\d{4}-\d\d-\d\d \d\d:/));
    expect(out).not.toContain('private');
  });

  it('are filtered by status and user, and limited in number', async () => {
    const [failed] = [await addJob('failed', 0), await addJob('queued'), await addJob('queued')];
    const ids = async (line: string) => parse<{ id: string }[]>((await run(line)).out).map(({ id }) => id);
    expect(await ids('jobs list --status failed --json')).toEqual([failed]);
    expect(await ids('jobs list --user ada@example.com --limit 2 --json')).toHaveLength(2);
    expect(await run('jobs list --status running')).toMatchObject({
      status: 0,
      out: 'There are no such jobs.\n',
    });
    expect(await run('jobs list --user nobody')).toMatchObject({ status: 1 });
    expect(await run('jobs list --status lost')).toMatchObject({ status: 2 });
  });

  it('are shown with the reason of a failure', async () => {
    const { status, out } = await run(`jobs show ${await addJob('failed', 0)}`);
    expect(status).toBe(0);
    expect(out).toMatch(/^error\s+PROVIDER_FAILED: It failed\.$/m);
    expect(out).not.toContain('private');
  });

  it('are cancelled and refunded', async () => {
    const id = await addJob('queued');
    const { status, out } = await run(`jobs cancel ${id} --json`);
    expect(status).toBe(0);
    expect(parse(out)).toMatchObject({ id, status: 'cancelled', credits: 0 });
    expect(parse((await run('credits ada --json')).out)).toMatchObject({ credits: { remaining: 30 } });
  });

  it.each([
    ['queue.drain', 'queues drain text --yes', { cancelled: 2 }],
    ['user.suspend', 'users suspend ada', { sessions: 0, cancelled: 2 }],
  ])('say who cancelled them by %s', async (action, command, details) => {
    const [first] = [await addJob('queued'), await addJob('queued')];
    const cancelledBefore = await addJob('queued');
    await run(`jobs cancel ${cancelledBefore} --as berta`);
    expect(await run(`${command} --as anna`)).toMatchObject({ status: 0 });
    const story = parse<JobStory>((await run(`jobs show ${first} --json`)).out);
    expect(story.audit).toEqual([
      expect.objectContaining({
        operator: 'anna',
        action,
        details: { ...details, finishedAt: story.finishedAt },
      }),
    ]);
    const { out } = await run(`jobs show ${first}`);
    expect(out).toMatch(/^refund .* An operator cancelled it\.$/m);
    expect(out).toMatch(new RegExp(`^anna +${action} +done`, 'm'));
    expect(parse<JobStory>((await run(`jobs show ${cancelledBefore} --json`)).out).audit).toEqual([
      expect.objectContaining({ operator: 'berta', action: 'job.cancel' }),
    ]);
  });

  it('of a user wait on, and the user is not suspended, if they cannot be cancelled', async () => {
    const id = await addJob('queued');
    await dataSource.query(
      `ALTER TABLE credit_entries ADD CONSTRAINT full_disk CHECK (kind <> 'refund' OR job_id <> '${id}')`,
    );
    try {
      expect(await run('users suspend ada --reason full')).toMatchObject({ status: 1 });
      expect(await row(dataSource, `SELECT suspended_at FROM users WHERE id = 'ada'`)).toEqual({
        suspended_at: null,
      });
      expect(await row(dataSource, `SELECT status FROM jobs WHERE id = '${id}'`)).toEqual({
        status: 'queued',
      });
      expect(await dataSource.query(`SELECT FROM audit_log WHERE reason = 'full'`)).toEqual([]);
    } finally {
      await dataSource.query(`ALTER TABLE credit_entries DROP CONSTRAINT full_disk`);
    }
  });

  it('are not cancelled after their end', async () => {
    const { status, errors } = await run(`jobs cancel ${await addJob('failed', 0)}`);
    expect({ status, errors }).toEqual({ status: 1, errors: 'This job has already ended.\n' });
  });

  it('are retried as new jobs', async () => {
    const failed = await addJob('failed', 0);
    const { status, out } = await run(`jobs retry ${failed} --json`);
    expect(status).toBe(0);
    const again = parse<{ id: string }>(out);
    expect(again).toMatchObject({ status: 'queued', tool: 'generate-article', userId: 'ada', credits: 1 });
    expect(again.id).not.toBe(failed);
    expect(await run(`jobs retry ${again.id}`)).toMatchObject({ status: 1 });
  });

  it.each(['show', 'cancel', 'retry'])('%s refuses an unknown id', async (command) => {
    for (const id of [randomUUID(), 'no-id']) {
      const { status, errors } = await run(`jobs ${command} ${id}`);
      expect({ status, errors }).toEqual({
        status: 1,
        errors: `There is no job with the id "${id}".\n`,
      });
    }
  });
});

describe('a command line', () => {
  it.each([
    ['plan ada gold', 2, /Allowed choices are free, premium/],
    ['plan ada', 2, /missing required argument 'plan'/],
    ['nonsense', 2, /unknown command 'nonsense'/],
    [
      'plan nobody@example.com premium',
      1,
      /^There is no user with the id or email "nobody@example.com"\.\n$/,
    ],
  ])('%j ends with %i', async (line, status, complaint) => {
    const result = await run(line);
    expect(result.status).toBe(status);
    expect(result.errors).toMatch(complaint);
  });

  it('is explained by --help as it is run: by npm, or in a container', async () => {
    expect((await run('--help', {})).out).toMatch(/^Usage: node dist\/scripts\/cli\.js \[/);
    expect((await run('--help', { npm_lifecycle_event: 'cli' })).out).toMatch(/^Usage: npm run cli -- \[/);
  });

  it('is explained by --help', async () => {
    const { status, out } = await run('--help');
    expect(status).toBe(0);
    for (const command of ['plan', 'credits', 'admin', 'jobs'])
      expect(out).toMatch(new RegExp(`^  ${command} `, 'm'));
  });

  it('ends well if nobody reads its answer to the end', async () => {
    const child = spawn(process.execPath, [inRoot('dist/scripts/cli.js'), '--help']);
    child.stdout.destroy();
    let errors = '';
    child.stderr.on('data', (text: Buffer) => (errors += text.toString()));
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(errors).toBe('');
  });

  it('requires a configured database that answers', async () => {
    expect(await run('jobs list', {})).toMatchObject({
      status: 78,
      errors: expect.stringMatching(/^DATABASE_URL must hold/),
    });
    expect(await run('jobs list', { DATABASE_URL: 'postgres://nobody:hunter2@127.0.0.1:1/none' })).toEqual({
      status: 1,
      out: '',
      errors: 'The database that DATABASE_URL names does not answer: connect ECONNREFUSED 127.0.0.1:1.\n',
    });
    const other = new URL(database.url);
    other.pathname = '/no_such_database';
    const refused = await run('jobs list', { DATABASE_URL: other.href });
    expect(refused).toMatchObject({
      status: 1,
      errors: expect.stringMatching(/^The database refuses .*no_such_database/),
    });
    expect(refused.errors.split('\n')).toHaveLength(2);
  });

  it('says what a database answers that takes no connections', async () => {
    const role = `crowd_${randomUUID().replaceAll('-', '')}`;
    await dataSource.query(`CREATE ROLE ${role} LOGIN PASSWORD 'crowded' CONNECTION LIMIT 0`);
    const url = Object.assign(new URL(database.url), { username: role, password: 'crowded' });
    expect(await run('jobs list', { DATABASE_URL: url.href })).toEqual({
      status: 1,
      out: '',
      errors: `The database that DATABASE_URL names answers with an error: too many connections for role "${role}".\n`,
    });
    await dataSource.query(`DROP ROLE ${role}`);
  });

  it('says that the database was busy, if it ended a statement', async () => {
    const blocker = dataSource.createQueryRunner();
    await blocker.startTransaction();
    try {
      await blocker.query(`SELECT FROM users WHERE id = 'ada' FOR UPDATE`);
      const command = run('admin ada');
      await until('the command to wait', async () => {
        const ended: unknown[] = await dataSource.query(
          `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND application_name = 'pressroom-cli' AND wait_event_type = 'Lock'`,
        );
        return ended.length > 0;
      });
      expect(await command).toEqual({
        ...{ status: 1, out: '' },
        errors: 'The database was busy for too long. `audit` lists what was changed; try again.\n',
      });
    } finally {
      await blocker.rollbackTransaction();
      await blocker.release();
    }
  });

  it('runs as a user who has no name in the container', () => {
    const withoutEntry = () => {
      throw new Error('uv_os_get_passwd returned ENOENT');
    };
    expect(systemUser(withoutEntry)).toMatch(/^uid \d+$/);
  });
});
