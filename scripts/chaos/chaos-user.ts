import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { withFormAsBytes } from '../../libs/outbound/form-bytes.ts';
import { until } from '../../test/support/until.ts';
import { unzip } from '../../test/support/unzip.ts';
import { newLog, type ReceivedJob, type UserLog } from './log.ts';
import type { Action } from './plan.ts';
import { Tab } from './tab.ts';
import { leaveUnread } from './unread-answers.ts';
import type { World } from './world.ts';

export interface Answer {
  /** Null without an answer. */
  status: number | null;
  body: AnswerBody;
}

/** The fields that clients read; each call answers with some of them. */
interface AnswerBody {
  code?: string;
  job?: ReceivedJob;
  jobs?: ReceivedJob[];
  jobId?: string;
  content?: string;
  creationId?: string;
  details?: { jobId?: string };
  token?: string;
  secret?: string;
  user?: { id: string };
  creations?: { id: string; content: string; type: string }[];
  profile?: { id: string };
  credits?: { remaining: number | null };
  batch?: { id: string; items: { n: number; state: string; jobId: string | null }[] };
  item?: { state: string; jobId: string | null };
  flow?: { id: string; steps: { state: string; jobId: string | null }[] };
  version?: VersionAnswer;
  versions?: VersionAnswer[];
}

interface VersionAnswer {
  id: string;
  current: boolean;
}

export interface Call {
  method?: string;
  json?: object;
  form?: FormData;
  headers?: Record<string, string>;
  api?: number;
}

export const PASSWORD = 'vivid lantern over quiet harbour';
const EVERY_SCOPE = ['read', 'write', 'text', 'resumes', 'images', 'documents'];
/** Routes of the account, which refuse keys. */
const WITHOUT_KEYS = /^\/api\/(auth|keys|user\/(account|plan|picture))/;
/** Longer than the api holds a call and longer than an outage. */
const CALL_WITHIN_MS = 20_000;
/** Milliseconds before a token is replaced; it is valid for five minutes. */
const TOKEN_LIFETIME = 100_000;

/** A user of the product over HTTP and sockets, with a log of all answers and events. */
export class ChaosUser {
  readonly log: UserLog;
  readonly tabs: Tab[] = [];
  private readonly world: World;
  private session: string;
  private token = { text: '', until: 0 };
  /** An API key that replaces the token where keys are taken. */
  private key: string | null = null;
  private tries = 0;
  private readonly unread: Socket[] = [];

  private constructor(world: World, log: UserLog, session: string) {
    this.world = world;
    this.log = log;
    this.session = session;
  }

  /** Signs up, and tries again while services fail. @param isProgram true to use an API key */
  static async signUp(
    world: World,
    name: string,
    { plan, isProgram }: { plan: UserLog['plan']; isProgram: boolean },
  ): Promise<ChaosUser> {
    let tries = 0;
    const user = await until(
      `${name} to sign up`,
      async () => {
        const email = `${name}-${(tries += 1)}@example.com`;
        const visitor = new ChaosUser(world, newLog('', email, name, plan), '');
        const answer = await visitor.call('/api/auth/sign-up/email', {
          json: { email, password: PASSWORD, name },
          api: tries % world.origins.length,
        });
        if (!answer.body.token || !answer.body.user) return null;
        const log = newLog(answer.body.user.id, email, name, plan);
        const user = new ChaosUser(world, log, answer.body.token);
        await until(
          'the account',
          async () => (await user.call('/api/user/account', { api: (tries += 1) })).status === 200,
        );
        if (plan === 'premium')
          await world.query(`UPDATE users SET plan = 'premium' WHERE id = '${log.id}' RETURNING id`);
        return user;
      },
      { seconds: 120, every: 300 },
    );
    if (isProgram) await user.createKey();
    return user;
  }

  get isSignedIn(): boolean {
    return this.session !== '';
  }

  /** Starts a session in place of one that ended. */
  async signIn(): Promise<void> {
    const json = { email: this.log.email, password: PASSWORD };
    this.session = '';
    this.session = await until(
      `${this.log.name} to sign in`,
      async () => {
        this.tries += 1;
        const call = { json, api: this.tries };
        return (await this.request('/api/auth/sign-in/email', call)).body.token ?? null;
      },
      { seconds: 120, every: 300 },
    );
    this.token = { text: '', until: 0 };
  }

  private async createKey(): Promise<void> {
    const json = { name: 'Chaos', scopes: EVERY_SCOPE };
    this.key = await until(
      'an API key',
      async () => (await this.call('/api/keys', { json })).body.secret ?? null,
      { seconds: 120, every: 300 },
    );
  }

  /** A valid token; an empty text when the product cannot issue one now. */
  async freshToken(api = 0, { renew = false } = {}): Promise<string> {
    if (renew || performance.now() > this.token.until) {
      const answer = await this.request('/api/auth/token', {
        api,
        headers: { Authorization: `Bearer ${this.session}` },
      });
      if (!answer.body.token) return this.token.text;
      this.token = { text: answer.body.token, until: performance.now() + TOKEN_LIFETIME };
    }
    return this.token.text;
  }

  /** A call with the user's token, repeated with a new token after a 401. */
  async call(path: string, call: Call = {}): Promise<Answer> {
    if (!this.session) return this.request(path, call);
    for (let tries = 0; ; tries += 1) {
      const takesKey = !WITHOUT_KEYS.test(path);
      const token = (takesKey && this.key) || (await this.freshToken(call.api, { renew: tries > 0 }));
      const headers = { ...call.headers, Authorization: `Bearer ${token}` };
      const answer = await this.request(path, { ...call, headers });
      if (answer.status !== 401 || tries > 0) return answer;
    }
  }

  /** Repeats a call until it has an answer other than 503. Only for calls that may be repeated. */
  async callUntilAnswered(path: string, call: Call = {}, tries = 5): Promise<Answer> {
    for (let i = 0; ; i += 1) {
      const answer = await this.call(path, { ...call, api: (call.api ?? 0) + i });
      if ((answer.status !== null && answer.status !== 503) || i === tries) return answer;
      await pause(400);
    }
  }

  /** A repeatable call: once, until it is answered, or twice at the same time. */
  async send(path: string, sends: Action['sends'], call: Call): Promise<Answer[]> {
    if (sends === 'keyed') return [await this.callUntilAnswered(path, call)];
    const calls = sends === 'twice' ? [0, 1] : [0];
    return Promise.all(calls.map((i) => this.call(path, { ...call, api: (call.api ?? 0) + i })));
  }

  /** The names of the files in the ZIP of a batch: empty without a ZIP, null without an answer. */
  async namesInZip(batchId: string, api: number): Promise<string[] | null> {
    const origin = this.world.origins[api % this.world.origins.length]!;
    try {
      const response = await fetch(`${origin}/api/batches/${batchId}/zip`, {
        headers: { Authorization: `Bearer ${await this.freshToken(api)}` },
        signal: AbortSignal.timeout(CALL_WITHIN_MS),
      });
      if (response.status === 404) return [];
      return response.ok ? [...unzip(Buffer.from(await response.arrayBuffer())).keys()] : null;
    } catch {
      return null;
    }
  }

  /** Downloads a file. @returns the status; null without an answer */
  async download(url: string, api: number): Promise<number | null> {
    const path = url.startsWith('http') ? new URL(url).pathname : url;
    return (await this.call(path, { api })).status;
  }

  private async request(path: string, call: Call): Promise<Answer> {
    const origin = this.world.origins[(call.api ?? 0) % this.world.origins.length]!;
    const method = call.method ?? (call.json || call.form ? 'POST' : 'GET');
    const record: UserLog['http'][0] = {
      method,
      path,
      status: null,
      code: null,
      retryAfter: false,
      body: null,
    };
    this.log.http.push(record);
    try {
      const init = await withFormAsBytes({
        method,
        headers: {
          Origin: this.world.publicUrl,
          ...(call.json ? { 'Content-Type': 'application/json' } : {}),
          ...call.headers,
        },
        body: call.json ? JSON.stringify(call.json) : call.form,
        signal: AbortSignal.timeout(CALL_WITHIN_MS),
      });
      const response = await fetch(`${origin}${path}`, init);
      const isJson = response.headers.get('content-type')?.includes('json');
      const body = isJson ? ((await response.json()) as AnswerBody | null) : null;
      if (!isJson) await response.arrayBuffer();
      record.status = response.status;
      record.retryAfter = response.headers.has('retry-after');
      record.code = body?.code ?? null;
      if (!response.ok) record.body = body;
      for (const job of [body?.job, ...(body?.jobs ?? [])]) if (job) this.log.reads.push(job);
      const account = body?.profile && body.credits;
      if (account && body?.profile?.id !== this.log.id && this.log.id)
        this.log.violations.push(`${method} ${path} answered with the account of another user`);
      return { status: response.status, body: body ?? {} };
    } catch {
      return { status: null, body: {} };
    }
  }

  openTab(api: number): Tab {
    const tab = new Tab(this, this.world.origins[api % this.world.origins.length]!, this.tabs.length, api);
    this.tabs.push(tab);
    this.log.tabs.push(tab.log);
    return tab;
  }

  /** Asks for answers and never reads them. */
  async leaveUnread(api: number): Promise<void> {
    const origin = this.world.origins[api % this.world.origins.length]!;
    this.unread.push(...leaveUnread(origin, await this.freshToken(api)));
  }

  /** Adds an accepted job to every tab. */
  show(job: ReceivedJob): void {
    for (const tab of this.tabs) tab.put(job);
  }

  close(): void {
    for (const tab of this.tabs) tab.close();
    for (const socket of this.unread) socket.destroy();
  }
}
