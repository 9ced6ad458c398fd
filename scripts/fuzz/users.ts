import { randomBytes, randomUUID } from 'node:crypto';
import type { KeyScope } from '#libs/contract/api-keys.js';
import { queueNames } from '#libs/contract/jobs.js';
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
  /** Jobs with an uploaded PDF file. */
  uploads: string[];
  creations: string[];
  images: string[];
  /** Images that an operator has hidden. */
  hidden: string[];
  deleted: string[];
  /** Texts that the user shares, and their links. */
  shared: { id: string; token: string }[];
  /** Versions of the last image, the newest last. */
  versions: string[];
  fileKeys: string[];
  documents: { id: string; name: string }[];
  notebooks: string[];
  notebookDocuments: string[];
  notes: string[];
  batches: string[];
  /** Flows that wait for a title. */
  flows: string[];
  /** Keys of ZIP files, by the folder in their address. */
  zips: Record<'batches' | 'creations' | 'exports', string[]>;
  searches: string[];
  voices: string[];
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
  private readonly signedUp: FuzzUser[] = [];

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

  /** A user with something of each kind, and failed, running and cancelled jobs. */
  async premium(name = 'premium'): Promise<FuzzUser> {
    const user = await this.signUp(name);
    await this.call(user.token, 'POST', '/api/user/plan', { plan: 'premium' });
    const lighthouse = () => this.run(user, 'generate-image', { prompt: 'A lighthouse', publish: true });
    const [article, published, hidden, image] = await Promise.all([
      this.run(user, 'generate-article', { prompt: `Hills of ${user.secret}` }),
      lighthouse(),
      lighthouse(),
      this.run(user, 'generate-image', { prompt: `A bridge ${user.secret}` }),
    ]);
    const ask = (message: string) => {
      const form = new FormData();
      form.append('pdf', new Blob([new Uint8Array(this.files.pdf)]), 'report.pdf');
      form.append('message', `${message} ${user.secret}`);
      return form;
    };
    const chat = await this.run(user, 'chat-with-pdf', ask('When was it built?'));
    // The files of a failed job are kept for a retry.
    user.uploads.push(await this.start(user, 'chat-with-pdf', ask('Refused for good [[400]]')));
    const write = (prompt: string) =>
      this.start(user, 'generate-article', { prompt: `${prompt} ${user.secret}` });
    const failed = await write('Refused for good [[400]]');
    const running = await write('A long one [[pace:200]]');
    const cancelled = await write('Cancelled [[pace:200]]');
    await this.call(user.token, 'DELETE', `/api/jobs/${cancelled}`);
    user.jobs.push(article.jobId, failed, running, cancelled);
    user.creations.push(article.creationId, published.creationId, image.creationId);
    user.images.push(published.creationId, image.creationId);
    user.hidden.push(hidden.creationId);
    user.fileKeys.push(keyOf(published.content), keyOf(image.content));
    user.documents.push({ id: chat.documentId, name: chat.fileName });
    await Promise.all([
      this.addNotebook(user).then(() => this.addNotebook(user)),
      this.addBatch(user).then(() => this.addBatch(user)),
      this.addFlow(user).then(() => this.addFlow(user)),
      this.addKey(user, ['read']),
      this.addWebhook(user),
      this.addVersions(user, image.creationId),
      this.addTexts(user),
      this.addLists(user),
    ]);
    const { url } = await this.call<{ url: string }>(user.token, 'POST', '/api/user/export');
    user.zips.exports.push(keyOf(url));
    return this.withCursors(user);
  }

  /** Adds three versions of an image. */
  private async addVersions(user: FuzzUser, id: string): Promise<void> {
    user.versions.push(id);
    for (const label of ['One', 'Two', 'Three']) {
      const form = new FormData();
      form.append('label', label);
      form.append('base', user.versions.at(-1)!);
      form.append('image', new Blob([new Uint8Array(this.files.jpeg)]), 'photo.jpg');
      const path = `/api/user/creations/${id}/versions`;
      const { version } = await this.call<{ version: { id: string } }>(user.token, 'POST', path, form);
      user.versions.push(version.id);
    }
  }

  /** Adds texts: some shared by a link, some deleted, all in a ZIP. */
  private async addTexts(user: FuzzUser): Promise<void> {
    const add = async () =>
      (await this.run(user, 'generate-blog-title', { prompt: `Woods of ${user.secret}` })).creationId;
    const ids = await Promise.all([add(), add(), add(), add()]);
    const path = '/api/user/creations';
    const { url } = await this.call<{ url: string }>(user.token, 'POST', `${path}/zip`, { ids });
    user.zips.creations.push(keyOf(url));
    for (const id of ids.slice(0, 2)) {
      const { share } = await this.call<{ share: { url: string } }>(user.token, 'PUT', `${path}/${id}/share`);
      user.shared.push({ id, token: keyOf(share.url) });
    }
    user.deleted.push(...ids.slice(2));
    for (const id of user.deleted) await this.call(user.token, 'DELETE', `${path}/${id}`);
  }

  /** Adds a batch of three pictures, of which one has its result. */
  private async addBatch(user: FuzzUser): Promise<void> {
    const size = this.files.jpeg.length;
    const items = ['1', '2', '3'].map((id) => ({ id, name: `${user.secret} ${id}.jpg`, size }));
    const fields = { tool: 'remove-image-background', items };
    const { batch } = await this.call<{ batch: Batch }>(user.token, 'POST', '/api/batches', fields);
    const path = `/api/batches/${batch.id}`;
    const form = new FormData();
    form.append('image', new Blob([new Uint8Array(this.files.jpeg)]), 'photo.jpg');
    await this.call(user.token, 'POST', `${path}/items/1`, form);
    const zip = await until('a result of the batch', async () => {
      const { batch: now } = await this.call<{ batch: Batch }>(user.token, 'GET', path);
      return now.zip;
    });
    user.batches.push(batch.id);
    user.zips.batches.push(keyOf(zip));
  }

  private async addFlow(user: FuzzUser): Promise<void> {
    const { flow } = await this.call<{ flow: Flow }>(user.token, 'POST', '/api/flows/article', {
      prompt: `Roads of ${user.secret}`,
      steps: 'generate-blog-title,generate-article',
      chooseTitle: true,
    });
    await until('the titles of the flow', async () => {
      const { flow: now } = await this.call<{ flow: Flow }>(user.token, 'GET', `/api/flows/${flow.id}`);
      return now.awaitsTitleFrom !== null;
    });
    user.flows.push(flow.id);
  }

  private async addLists(user: FuzzUser): Promise<void> {
    for (const number of [1, 2]) {
      const name = `${number} of ${user.secret}`;
      const { search } = await this.call<{ search: { id: string } }>(
        user.token,
        'POST',
        '/api/user/searches',
        {
          name,
          filter: { search: 'rivers' },
        },
      );
      const { voice } = await this.call<{ voice: { id: string } }>(user.token, 'POST', '/api/user/voices', {
        name,
        manner: { tone: 'plain' },
      });
      user.searches.push(search.id);
      user.voices.push(voice.id);
    }
  }

  /** Lets an operator hide the user's images that are to be hidden. */
  async hide(operator: FuzzUser, user: FuzzUser): Promise<void> {
    const fields = { decision: 'hide', reason: 'Of the fuzz' };
    for (const id of user.hidden)
      await this.call(operator.token, 'POST', `/api/admin/creations/${id}/decide`, fields);
  }

  /** A user whom operators may suspend and delete, with an API key. */
  async managed(): Promise<FuzzUser> {
    const user = await this.signUp('managed');
    await this.addKey(user, ['read']);
    return user;
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
    const { documentId } = await this.run(user, 'add-notebook-document', form);
    const path = `/api/notebooks/${notebook.id}/notes`;
    const note = { content: `Of ${user.secret} [1, p. 1]` };
    const added = await this.call<{ note: { id: string } }>(user.token, 'POST', path, note);
    user.notebooks.push(notebook.id);
    user.notebookDocuments.push(documentId);
    user.notes.push(added.note.id);
  }

  async operator(): Promise<FuzzUser> {
    const user = await this.signUp('operator');
    await this.setRole(user.id);
    const answer = await this.fetch(user.token, 'POST', '/api/admin/session');
    user.cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
    return user;
  }

  async resumeQueues(operator: FuzzUser): Promise<void> {
    for (const queue of queueNames)
      await this.call(operator.token, 'POST', `/api/admin/queues/${queue}/resume`, { reason: 'Fuzz test' });
  }

  /** A user whose account requests may delete. */
  leaver(): Promise<FuzzUser> {
    return this.signUp('leaver');
  }

  /** Registers an app that may ask users to sign in. @returns its client id */
  async app(redirectUri: string): Promise<string> {
    const fields = {
      client_name: 'Fuzz',
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    };
    const path = '/api/auth/oauth2/register';
    return (await this.call<{ client_id: string }>('', 'POST', path, fields)).client_id;
  }

  /** Renews the tokens of all users whose sessions no request has ended. */
  async renewTokens(): Promise<void> {
    await Promise.allSettled(this.signedUp.map((user) => this.renewToken(user)));
  }

  /** Replaces the bearer token, which lasts five minutes. */
  private async renewToken(user: FuzzUser): Promise<void> {
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
    const signedUp: FuzzUser = {
      name,
      email,
      token,
      session,
      id: user.id,
      cookie: '',
      secret: `zq${randomBytes(6).toString('hex')}`,
      jobs: [],
      uploads: [],
      creations: [],
      images: [],
      hidden: [],
      deleted: [],
      shared: [],
      versions: [],
      fileKeys: [],
      documents: [],
      notebooks: [],
      notebookDocuments: [],
      notes: [],
      batches: [],
      flows: [],
      zips: { batches: [], creations: [], exports: [] },
      searches: [],
      voices: [],
      cursors: [],
      apiKeys: [],
      webhooks: [],
      deliveries: [],
    };
    this.signedUp.push(signedUp);
    return signedUp;
  }

  /** Starts a job and waits for its end. */
  private async run(user: FuzzUser, tool: string, body: object): Promise<Outcome> {
    const id = await this.start(user, tool, body);
    const ended = await until(`the job of ${tool} to end`, async () => {
      const { job: now } = await this.call<Started>(user.token, 'GET', `/api/jobs/${id}`);
      return now.finishedAt === null ? null : now;
    });
    if (!ended.result) throw new Error(`The job of ${tool} failed: ${JSON.stringify(ended)}`);
    return { ...ended.result, jobId: id };
  }

  private async start(user: FuzzUser, tool: string, body: object): Promise<string> {
    const headers = { Prefer: 'respond-async' };
    return (await this.call<Started>(user.token, 'POST', `/api/ai/${tool}`, body, headers)).job.id;
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

interface Batch {
  id: string;
  zip: string | null;
}

interface Flow {
  id: string;
  awaitsTitleFrom: number | null;
}

interface Outcome {
  jobId: string;
  creationId: string;
  content: string;
  documentId: string;
  fileName: string;
}

const keyOf = (url: string) => new URL(url).pathname.split('/').at(-1)!;
