import { randomBytes, randomUUID } from 'node:crypto';
import type { KeyScope } from '#libs/contract/api-keys.js';
import { until } from '../../test/support/until.ts';
import type { FuzzFiles } from './files.ts';

/** A user, and values for requests. All lists have the same length in every run. */
export interface FuzzUser {
  name: string;
  id: string;
  email: string;
  token: string;
  /** The session token of better-auth. */
  session: string;
  /** An operator's cookie for the queue board. */
  cookie: string;
  /** A word in each of the user's texts, which no answer to another user may contain. */
  secret: string;
  jobs: string[];
  creations: string[];
  images: string[];
  fileKeys: string[];
  documents: { id: string; name: string }[];
  notebooks: string[];
  notes: string[];
  cursors: string[];
  apiKeys: string[];
  webhooks: string[];
  deliveries: string[];
}

const EVERY_SCOPE: KeyScope[] = ['read', 'write', 'webhooks', 'text', 'resumes', 'images', 'documents'];

export const PASSWORD = 'an uncommon phrase of the fuzz';

interface SignedUp {
  token: string;
  user: { id: string };
}

/** Creates users and their data over HTTP. @throws Error with the answer to a refused call */
export class FuzzUsers {
  private readonly address: string;
  private readonly files: FuzzFiles;
  private readonly setRole: (userId: string) => Promise<void>;

  constructor(address: string, files: FuzzFiles, setRole: (userId: string) => Promise<void>) {
    this.address = address;
    this.files = files;
    this.setRole = setRole;
  }

  /** A user on the free plan with an article and a title. */
  async free(name = 'free'): Promise<FuzzUser> {
    const user = await this.signUp(name);
    const article = await this.run(user, 'generate-article', { prompt: `Rivers of ${user.secret}` });
    const title = await this.run(user, 'generate-blog-title', { prompt: `Lakes of ${user.secret}` });
    user.jobs.push(article.jobId, title.jobId);
    user.creations.push(article.creationId, title.creationId);
    return this.withCursors(user);
  }

  /** A user with a text, images, a conversation, and failed, running and cancelled jobs. */
  async premium(name = 'premium'): Promise<FuzzUser> {
    const user = await this.signUp(name);
    await this.call(user.token, 'POST', '/api/user/plan', { plan: 'premium' });
    const [article, published, image] = await Promise.all([
      this.run(user, 'generate-article', { prompt: `Hills of ${user.secret}` }),
      this.run(user, 'generate-image', { prompt: 'A lighthouse', publish: true }),
      this.run(user, 'generate-image', { prompt: `A bridge ${user.secret}` }),
    ]);
    const form = new FormData();
    form.append('pdf', new Blob([new Uint8Array(this.files.pdf)]), 'report.pdf');
    form.append('message', `When was it built, ${user.secret}?`);
    const chat = await this.run(user, 'chat-with-pdf', form);
    const failed = await this.start(user, 'Refused for good [[400]]');
    const running = await this.start(user, 'A long one [[pace:200]]');
    const cancelled = await this.start(user, 'Cancelled [[pace:200]]');
    await this.call(user.token, 'DELETE', `/api/jobs/${cancelled}`);
    user.jobs.push(article.jobId, failed, running, cancelled);
    user.creations.push(article.creationId, published.creationId, image.creationId);
    user.images.push(published.creationId, image.creationId);
    user.fileKeys.push(keyOf(published.content), keyOf(image.content));
    user.documents.push({ id: chat.documentId, name: chat.fileName });
    await this.addNotebook(user);
    await this.addKey(user, ['read']);
    await this.addWebhook(user);
    return this.withCursors(user);
  }

  /** The same user as a program, with an API key that may do everything. */
  async program(user: FuzzUser): Promise<FuzzUser> {
    return { ...user, name: `${user.name} with a key`, token: await this.addKey(user, EVERY_SCOPE) };
  }

  /** @returns the key's secret */
  private async addKey(user: FuzzUser, scopes: KeyScope[]): Promise<string> {
    const { key, secret } = await this.call<{ key: { id: string }; secret: string }>(
      user.token,
      'POST',
      '/api/keys',
      { name: `Key of ${user.secret}`, scopes },
    );
    user.apiKeys.push(key.id);
    return secret;
  }

  /** Adds a webhook whose receiver does not exist, with a test event. */
  private async addWebhook(user: FuzzUser): Promise<void> {
    const { webhook } = await this.call<{ webhook: { id: string } }>(user.token, 'POST', '/api/webhooks', {
      url: `https://receiver.invalid/${user.secret}`,
      events: ['job.failed'],
    });
    const path = `/api/webhooks/${webhook.id}/test`;
    const { delivery } = await this.call<{ delivery: { id: string } }>(user.token, 'POST', path, {});
    user.webhooks.push(webhook.id);
    user.deliveries.push(delivery.id);
  }

  /** Adds a notebook with the user's document and a note. */
  private async addNotebook(user: FuzzUser): Promise<void> {
    const name = `Notes of ${user.secret}`;
    const { notebook } = await this.call<{ notebook: { id: string } }>(user.token, 'POST', '/api/notebooks', {
      name,
    });
    const form = new FormData();
    form.append('document', new Blob([new Uint8Array(this.files.pdf)]), 'report.pdf');
    form.append('notebook_id', notebook.id);
    await this.run(user, 'add-notebook-document', form);
    const path = `/api/notebooks/${notebook.id}/notes`;
    const note = { content: `Of ${user.secret} [1, p. 1]` };
    const added = await this.call<{ note: { id: string } }>(user.token, 'POST', path, note);
    user.notebooks.push(notebook.id);
    user.notes.push(added.note.id);
  }

  async operator(): Promise<FuzzUser> {
    const user = await this.signUp('operator');
    await this.setRole(user.id);
    const answer = await this.fetch(user.token, 'POST', '/api/admin/session');
    user.cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
    return user;
  }

  /** A user whose account requests may delete. */
  leaver(): Promise<FuzzUser> {
    return this.signUp('leaver');
  }

  /** Replaces the bearer token, which lasts five minutes. */
  async renewToken(user: FuzzUser): Promise<void> {
    user.token = (await this.call<{ token: string }>(user.session, 'GET', '/api/auth/token')).token;
  }

  /** Generates a title and reads the account. @returns milliseconds */
  async writeTitle(user: FuzzUser): Promise<number> {
    const startedAt = performance.now();
    await this.run(user, 'generate-blog-title', { prompt: `Probe of ${user.secret}` });
    await this.call(user.token, 'GET', '/api/user/account');
    return performance.now() - startedAt;
  }

  private async signUp(name: string): Promise<FuzzUser> {
    const email = `${name}-${randomUUID()}@example.test`;
    const body = { name, email, password: PASSWORD };
    const { token: session, user } = await this.call<SignedUp>('', 'POST', '/api/auth/sign-up/email', body);
    const { token } = await this.call<{ token: string }>(session, 'GET', '/api/auth/token');
    await this.call(token, 'GET', '/api/user/account');
    return {
      name,
      email,
      token,
      session,
      id: user.id,
      cookie: '',
      secret: `zq${randomBytes(6).toString('hex')}`,
      jobs: [],
      creations: [],
      images: [],
      fileKeys: [],
      documents: [],
      notebooks: [],
      notes: [],
      cursors: [],
      apiKeys: [],
      webhooks: [],
      deliveries: [],
    };
  }

  /** Starts a job and waits for its end. */
  private async run(user: FuzzUser, tool: string, body: object): Promise<Outcome> {
    const headers = { Prefer: 'respond-async' };
    const { job } = await this.call<Started>(user.token, 'POST', `/api/ai/${tool}`, body, headers);
    const ended = await until(`the job of ${tool} to end`, async () => {
      const { job: now } = await this.call<Started>(user.token, 'GET', `/api/jobs/${job.id}`);
      return now.finishedAt === null ? null : now;
    });
    if (!ended.result) throw new Error(`The job of ${tool} failed: ${JSON.stringify(ended)}`);
    return { ...ended.result, jobId: job.id };
  }

  private async start(user: FuzzUser, prompt: string): Promise<string> {
    const body = { prompt: `${prompt} ${user.secret}` };
    const headers = { Prefer: 'respond-async' };
    const path = '/api/ai/generate-article';
    return (await this.call<Started>(user.token, 'POST', path, body, headers)).job.id;
  }

  private async withCursors(user: FuzzUser): Promise<FuzzUser> {
    for (const path of ['/api/jobs', '/api/user/get-user-creations']) {
      const { nextCursor } = await this.call<{ nextCursor: string | null }>(
        user.token,
        'GET',
        `${path}?limit=1`,
      );
      user.cursors.push(nextCursor ?? '');
    }
    return user;
  }

  private async call<Body>(...call: Parameters<FuzzUsers['fetch']>): Promise<Body> {
    const answer = await this.fetch(...call);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${call[1]} ${call[2]} answered ${answer.status}: ${text}`);
    return JSON.parse(text) as Body;
  }

  private fetch(token: string, method: string, path: string, body?: object, headers: object = {}) {
    const isForm = body instanceof FormData;
    return fetch(`${this.address}${path}`, {
      method,
      body: isForm ? body : body && JSON.stringify(body),
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && !isForm && { 'content-type': 'application/json' }),
        ...headers,
      },
    });
  }
}

interface Started {
  job: { id: string; finishedAt: string | null; result: Outcome | null };
}

interface Outcome {
  jobId: string;
  creationId: string;
  content: string;
  documentId: string;
  fileName: string;
}

const keyOf = (url: string) => new URL(url).pathname.split('/').at(-1)!;
