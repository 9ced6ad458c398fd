import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';
import type { ServerEvents } from '#libs/contract/events.js';
import type { Job } from '#libs/contract/jobs.js';
import type { Stack } from './stack.ts';

/** The body of a tool's request: JSON, or a form. */
export type Body = { json: object } | { form: Record<string, string | Blob> };

/** Everything that one socket received. */
export interface Watch {
  jobs: Map<string, Job>;
  /** The streamed text of each job's latest attempt. */
  texts: Map<string, string>;
  close: () => void;
}

const ENDED = ['succeeded', 'failed', 'cancelled'];
const JOB_ENDS_WITHIN = 90_000;
const POLL_EVERY = 250;
/** Milliseconds; a token is valid for five minutes. */
const TOKEN_USED_FOR = 120_000;

/** A user of the stack over HTTP and sockets, as their browser would be. */
export class User {
  readonly email = `${randomUUID()}@example.com`;
  private readonly stack: Stack;
  private session = '';
  private token = { text: '', until: 0 };

  private constructor(stack: Stack) {
    this.stack = stack;
  }

  static async signUp(stack: Stack): Promise<User> {
    const user = new User(stack);
    const session = await user.authenticate('sign-up');
    user.session = session ?? (await user.confirmAddress());
    await user.get('/api/user/account');
    return user;
  }

  /** @returns the session; null if the address must be confirmed first */
  private async authenticate(what: 'sign-up' | 'sign-in'): Promise<string | null> {
    const answer = await fetch(`${this.stack.origin}/api/auth/${what}/email`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: this.stack.origin },
      body: JSON.stringify({ email: this.email, password: 'correct horse battery', name: 'Ada' }),
    });
    assert.equal(answer.status, 200, await answer.clone().text());
    return ((await answer.json()) as { token: string | null }).token;
  }

  private async confirmAddress(): Promise<string> {
    const mail = await this.stack.mail?.next(this.email);
    assert.ok(mail);
    await fetch(mail.link, { redirect: 'manual' });
    const session = await this.authenticate('sign-in');
    assert.ok(session);
    return session;
  }

  async get<Answer>(path: string): Promise<Answer> {
    const answer = await fetch(`${this.stack.origin}${path}`, { headers: await this.headers() });
    const body = (await answer.json()) as Answer;
    assert.equal(answer.status, 200, `GET ${path}: ${JSON.stringify(body)}`);
    return body;
  }

  async post<Answer>(path: string, json: object): Promise<Answer> {
    const answer = await fetch(`${this.stack.origin}${path}`, {
      method: 'POST',
      headers: { ...(await this.headers()), 'Content-Type': 'application/json' },
      body: JSON.stringify(json),
    });
    const body = (await answer.json()) as Answer;
    assert.equal(answer.status, 200, `POST ${path}: ${JSON.stringify(body)}`);
    return body;
  }

  /** The bytes of a file of this user. */
  async read(url: string): Promise<Buffer> {
    const answer = await fetch(url, { headers: await this.headers() });
    assert.equal(answer.status, 200, url);
    return Buffer.from(await answer.arrayBuffer());
  }

  /** Asks a tool without waiting for the job. */
  async submit(tool: string, body: Body): Promise<Job> {
    const headers: Record<string, string> = { ...(await this.headers()), Prefer: 'respond-async' };
    if ('json' in body) headers['Content-Type'] = 'application/json';
    const answer = await fetch(`${this.stack.origin}/api/ai/${tool}`, {
      method: 'POST',
      headers,
      body: 'json' in body ? JSON.stringify(body.json) : formOf(body.form),
    });
    const fields = (await answer.json()) as { job: Job };
    assert.equal(answer.status, 202, `${tool}: ${JSON.stringify(fields)}`);
    return fields.job;
  }

  job = async (id: string) => (await this.get<{ job: Job }>(`/api/jobs/${id}`)).job;

  /** The job once it has ended. Requests are repeated while a service is unavailable. */
  async ended(id: string): Promise<Job> {
    const until = performance.now() + JOB_ENDS_WITHIN;
    for (;;) {
      const job = await this.job(id).catch((error: Error) => error);
      if (!(job instanceof Error) && ENDED.includes(job.status)) return job;
      if (performance.now() > until) throw new Error(`Job ${id} did not end: ${describe(job)}`);
      await pause(POLL_EVERY);
    }
  }

  /** Opens a socket that receives the events of this user's jobs. */
  async watch(transport: 'websocket' | 'polling'): Promise<Watch> {
    const token = await this.freshToken();
    const socket: Socket<ServerEvents> = io(this.stack.origin, {
      transports: [transport],
      upgrade: false,
      forceNew: true,
      auth: { token },
    });
    const watch: Watch = { jobs: new Map(), texts: new Map(), close: () => socket.close() };
    socket.on('job', (job) => watch.jobs.set(job.id, job));
    socket.on('job:delta', ({ id, offset, text }) => {
      watch.texts.set(id, (watch.texts.get(id) ?? '').slice(0, offset) + text);
    });
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('connect_error', reject);
    });
    return watch;
  }

  private async headers(): Promise<Record<string, string>> {
    return { Authorization: `Bearer ${await this.freshToken()}` };
  }

  private async freshToken(): Promise<string> {
    if (performance.now() > this.token.until)
      this.token = { text: await this.newToken(), until: performance.now() + TOKEN_USED_FOR };
    return this.token.text;
  }

  /** A token by the session. @throws AssertionError if the session has ended */
  async newToken(): Promise<string> {
    const answer = await fetch(`${this.stack.origin}/api/auth/token`, {
      headers: { Authorization: `Bearer ${this.session}` },
    });
    assert.equal(answer.status, 200, await answer.clone().text());
    return ((await answer.json()) as { token: string }).token;
  }
}

function formOf(fields: Record<string, string | Blob>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

const describe = (job: Job | Error) =>
  job instanceof Error ? job.message : `${job.status}, ${job.progress.message}, attempt ${job.attempts}`;
