import { setTimeout as pause } from 'node:timers/promises';
import type { Files } from './files.ts';
import { isEnded, type Accepted, type SeenJob } from './log.ts';
import { PASSWORD, type Answer, type Call, type Person } from './person.ts';
import type { Action, ActionName } from './plan.ts';
import { PictureActor } from './picture-actions.ts';
import { at } from '../stack/random.ts';
import type { World } from './world.ts';

/** What a round's people share. */
export interface Round {
  world: World;
  files: Files;
  people: Person[];
}

/** Milliseconds that a plain call asks to be held. */
const HELD_SECONDS = 2;

/** One person's round: acts as planned, and remembers what it made. */
export class Actor {
  private readonly round: Round;
  private readonly person: Person;
  private readonly pictures: PictureActor;
  private count = 0;
  private readonly flows: string[] = [];

  constructor(round: Round, person: Person) {
    this.round = round;
    this.person = person;
    this.pictures = new PictureActor(round.files, person, this.marker);
  }

  async act(actions: Action[], deletesAccount: boolean): Promise<void> {
    for (const action of actions) {
      await pause(action.wait);
      await this.perform(action);
    }
    if (deletesAccount) await this.deleteAccount();
  }

  private async perform(action: Action): Promise<void> {
    const { person } = this;
    const { api, share } = action;
    const get = (path: string) => person.call(path, { api });
    switch (action.name) {
      case 'article':
      case 'titles':
      case 'humanize':
      case 'rewrite':
      case 'image':
      case 'background':
      case 'object':
      case 'review':
      case 'score':
      case 'bullets':
      case 'letter':
      case 'chat':
      case 'group':
        return this.submit(action.name, action);
      case 'previewMask':
        return this.previewMask(action);
      case 'changeImage':
        return this.changeImage(action);
      case 'batch':
        return this.pictures.batch(action);
      case 'sendItem':
        return this.pictures.sendItem(action);
      case 'leaveOutItem':
        return this.pictures.leaveOutItem(action);
      case 'cancelBatch':
        return this.pictures.cancelBatch(action);
      case 'flow':
        return this.startFlow(action);
      case 'retryStep':
        return this.retryStep(share, api);
      case 'cancelFlow': {
        const id = at(this.flows, share);
        return void (id && (await person.call(`/api/flows/${id}`, { method: 'DELETE', api })));
      }
      case 'saveVersion': {
        const image = at(this.images(), share);
        return image && this.pictures.saveVersion(image.id, action);
      }
      case 'restoreVersion': {
        const image = at(this.images(), share);
        return image && this.pictures.restoreVersion(image.id, action);
      }
      case 'deleteVersion':
        return this.pictures.deleteVersion(action);
      case 'cancel': {
        const job = at(this.unfinished(), share) ?? at(person.log.accepted, share);
        return job && this.cancel(job.jobId, api);
      }
      case 'retry': {
        const job = at(this.failed(), share);
        return job && this.retry(job, api);
      }
      case 'mismatch': {
        const job = at(
          person.log.accepted.filter(({ key }) => key),
          share,
        );
        return job && this.mismatch(job, api);
      }
      case 'readJob': {
        const job = at(person.log.accepted, share);
        return void (job && (await get(`/api/jobs/${job.jobId}`)));
      }
      case 'listJobs':
        return void (await get(share < 0.5 ? '/api/jobs' : '/api/jobs?status=failed&limit=5'));
      case 'listCreations':
        return void (await get('/api/user/get-user-creations'));
      case 'search':
        return void (await get(
          `/api/user/get-user-creations?search=${share < 0.5 ? 'version' : 'tomatoes chaos'}`,
        ));
      case 'publish':
        return this.publish(share, api, true);
      case 'withdraw':
        return this.publish(share, api, false);
      case 'like':
        return this.like(share, api);
      case 'deleteCreation':
        return this.deleteCreation(share, api);
      case 'restoreCreation':
        return this.restoreCreation(share, api);
      case 'download':
        return this.download(share, api);
      case 'setPicture':
        return void (await person.call('/api/user/picture', {
          method: 'PUT',
          form: this.round.files.form({ picture: this.round.files.image(`${this.marker()}.png`) }),
          api,
        }));
      case 'removePicture':
        return void (await person.call('/api/user/picture', { method: 'DELETE', api }));
      case 'rename':
        return void (await person.call('/api/auth/update-user', { json: { name: person.log.name }, api }));
      case 'switchPlan':
        person.log.switchedPlan = true;
        return void (await person.call('/api/user/plan', {
          json: { plan: share < 0.5 ? 'free' : 'premium' },
          api,
        }));
      case 'readChats':
        return void (await get('/api/ai/pdf-chat-history'));
      case 'clearChats':
        return void (await person.call('/api/ai/pdf-chat-history', { method: 'DELETE', api }));
      case 'account':
        return void (await get('/api/user/account'));
      case 'openTab':
        return void (person.tabs.filter(({ log }) => log.isOpen).length < 4 && person.openTab(api));
      case 'closeTab':
        return at(person.tabs, share)?.close();
      case 'dropTab':
        return at(person.tabs, share)?.drop();
      case 'spy':
        return this.spy(share, api);
    }
  }

  /** Unique words, in ASCII, that lead back to this person. */
  private marker = () => `${this.person.log.name}n${(this.count += 1)}e`;

  private latest(id: string): SeenJob | undefined {
    const seen = [
      ...this.person.log.reads.filter((job) => job.id === id),
      ...this.person.tabs.flatMap(({ log }) => log.view.get(id) ?? []),
    ];
    return seen.toSorted((one, other) => other.revision - one.revision)[0];
  }

  private unfinished = () =>
    this.person.log.accepted.filter(({ jobId }) => !isEnded(this.latest(jobId) ?? { status: '' }));

  private failed = () =>
    this.person.log.accepted.filter(({ jobId }) =>
      ['failed', 'cancelled'].includes(this.latest(jobId)?.status ?? ''),
    );

  /** The creations that its jobs made, by what clients were told. */
  private creations = () =>
    this.person.log.accepted.flatMap(({ jobId }) => {
      const job = this.latest(jobId);
      const id = job?.result?.creationId;
      return typeof id === 'string' ? [{ id, job: job! }] : [];
    });

  /** The images among them that are there. */
  private images = () => {
    const { deletedCreations, uncertainCreations } = this.person.log;
    return this.creations().filter(
      ({ id, job }) =>
        String(job.result?.content).includes('/files/') &&
        !deletedCreations.has(id) &&
        !uncertainCreations.has(id),
    );
  };

  private async submit(tool: ActionName, { sends, api, provider, share }: Action): Promise<void> {
    const marker = this.marker();
    const text = `Chaos ${marker} tomatoes ${provider}`.trim();
    const path = `/api/ai/${PATHS[tool]}`;
    const body = (): Call => this.body(tool, marker, text, share);
    const asynchronous = { Prefer: 'respond-async' };
    if (sends === 'async')
      return this.note(
        tool,
        marker,
        null,
        await this.person.call(path, { ...body(), headers: asynchronous, api }),
      );
    if (sends === 'held') {
      const headers = { Prefer: `wait=${HELD_SECONDS}` };
      return this.note(tool, marker, null, await this.person.call(path, { ...body(), headers, api }));
    }
    const key = `key-${marker}`;
    const headers = { ...asynchronous, 'Idempotency-Key': key };
    if (sends === 'keyed')
      return this.note(
        tool,
        marker,
        key,
        await this.person.callUntilAnswered(path, { ...body(), headers, api }),
      );
    const call = body();
    const answers = await Promise.all(
      [0, 1].map((i) => this.person.call(path, { ...call, headers, api: api + i })),
    );
    for (const answer of answers) this.note(tool, marker, key, answer);
    return undefined;
  }

  private body(tool: ActionName, marker: string, text: string, share: number): Call {
    const { files } = this.round;
    switch (tool) {
      case 'humanize':
        return {
          json: {
            text: `${text} It is important to note that ${marker} utilized tables. Furthermore, it ended.`,
          },
        };
      case 'rewrite':
        return {
          json: { text: `${text} It is a very plain sentence.`, action: share < 0.5 ? 'simpler' : 'fix' },
        };
      case 'image':
        return { json: { prompt: text, publish: share < 0.3 } };
      case 'group':
        return { json: { prompt: text, count: groupSize(share) } };
      case 'background':
        return { form: files.form({ image: files.image(`${marker}.png`) }) };
      case 'object':
        return { form: files.form({ image: files.image(`${marker}.png`), object: 'ball' }) };
      case 'review':
        return { form: files.form({ resume: files.resume(`${marker}.pdf`) }) };
      case 'score':
      case 'bullets':
      case 'letter':
        return { form: files.form({ resume: files.resume(`${marker}.pdf`), jobDescription: text }) };
      case 'chat':
        return { form: files.form({ pdf: files.resume(`${marker}.pdf`), message: text, chatHistory: '[]' }) };
      default:
        return { json: { prompt: text } };
    }
  }

  /** An image as the input of another job. */
  private async changeImage({ share, api, provider }: Action): Promise<void> {
    const image = at(this.images(), share);
    if (!image) return;
    const marker = this.marker();
    const json = { prompt: `Chaos ${marker} tomatoes ${provider}`.trim(), creation: image.id };
    const headers = { Prefer: 'respond-async' };
    const { body } = await this.person.call('/api/ai/generate-image', { json, headers, api });
    if (!body.job) return;
    const jobId = body.job.id;
    this.person.log.accepted.push({
      ...{ jobId, tool: 'image', marker, key: null, retryOf: null },
      source: image.id,
    });
    this.person.show(body.job);
  }

  /** A look at what a removal would take out: no job, and so no charge, which names one. */
  private async previewMask({ api }: Action): Promise<void> {
    const { files } = this.round;
    const marker = this.marker();
    const form = files.form({ image: files.image(`${marker}.png`), object: `ball ${marker}` });
    const { body } = await this.person.call('/api/ai/remove-image-object/mask', { form, api });
    if (body.job ?? body.jobId) this.violation('a preview of a mask made a job');
  }

  private note(tool: ActionName, marker: string, key: string | null, { status, body }: Answer): void {
    const jobId = body.job?.id ?? body.jobId ?? body.details?.jobId;
    if (status === null || !jobId) return;
    const jobs = body.jobs ?? [];
    const groupOf = jobs.length > 1 ? jobs.length : undefined;
    this.person.log.accepted.push({ jobId, tool, marker, key, retryOf: null, groupOf });
    for (const { id } of jobs.slice(1))
      this.person.log.accepted.push({ jobId: id, tool, marker, key: null, retryOf: null });
    for (const job of jobs.length > 0 ? jobs : [body.job]) if (job) this.person.show(job);
  }

  /** Titles and an article of them. */
  private async startFlow({ sends, api, provider }: Action): Promise<void> {
    const marker = this.marker();
    const json = {
      prompt: `Chaos ${marker} tomatoes ${provider}`.trim(),
      steps: 'generate-blog-title,generate-article',
    };
    const headers = { 'Idempotency-Key': `flow-${marker}` };
    const answers = await Promise.all(
      (sends === 'twice' ? [0, 1] : [0]).map((i) =>
        this.person.call('/api/flows/article', { json, headers, api: api + i }),
      ),
    );
    const ids = new Set(answers.flatMap(({ body }) => (body.flow ? [body.flow.id] : [])));
    if (ids.size > 1) this.violation(`the key flow-${marker} names ${ids.size} flows`);
    this.flows.push(...ids);
  }

  private async retryStep(share: number, api: number): Promise<void> {
    const id = at(this.flows, share);
    const steps = id ? (await this.person.call(`/api/flows/${id}`, { api })).body.flow?.steps : undefined;
    const failed = steps?.find(({ state }) => state === 'failed' || state === 'cancelled');
    if (!failed?.jobId) return;
    const headers = { Prefer: 'respond-async' };
    await this.person.call(`/api/jobs/${failed.jobId}/retry`, { method: 'POST', headers, api });
  }

  private async cancel(jobId: string, api: number): Promise<void> {
    const { body } = await this.person.call(`/api/jobs/${jobId}`, { method: 'DELETE', api });
    if (body.job) this.person.show(body.job);
  }

  private async retry({ jobId, tool, marker }: Accepted, api: number): Promise<void> {
    const { body } = await this.person.call(`/api/jobs/${jobId}/retry`, {
      method: 'POST',
      headers: { Prefer: 'respond-async' },
      api,
    });
    if (!body.job) return;
    this.person.log.accepted.push({ jobId: body.job.id, tool, marker, key: null, retryOf: jobId });
    this.person.show(body.job);
  }

  /** Another request under a key that was used. */
  private async mismatch({ key, tool }: Accepted, api: number): Promise<void> {
    const { status, body } = await this.person.call('/api/ai/generate-article', {
      json: { prompt: `Another request than ${tool}` },
      headers: { Prefer: 'respond-async', 'Idempotency-Key': key! },
      api,
    });
    if (status !== null && status < 300)
      this.violation(`another request under the key ${key} was accepted as job ${body.job?.id}`);
  }

  private async publish(share: number, api: number, publish: boolean): Promise<void> {
    const creation = at(this.creations(), share);
    if (!creation) return;
    const { status } = await this.person.call(`/api/user/creations/${creation.id}/publish`, {
      json: { publish },
      api,
    });
    if (status !== 200 || publish) return;
    const shown = await this.person.call(`/c/${creation.id}/image`, { api: api + 1 });
    if (shown.status === 200) this.violation(`creation ${creation.id} was withdrawn, and anybody can see it`);
  }

  private async like(share: number, api: number): Promise<void> {
    const { body } = await this.person.call('/api/user/get-published-creations?limit=20', { api });
    const creation = at(body.creations ?? [], share);
    if (creation)
      await this.person.call('/api/user/toggle-like-creation', { json: { id: creation.id }, api });
  }

  private async deleteCreation(share: number, api: number): Promise<void> {
    const { log } = this.person;
    const creation = at(
      this.creations().filter(({ id }) => !log.deletedCreations.has(id)),
      share,
    );
    if (!creation) return;
    const path = `/api/user/creations/${creation.id}`;
    const { status } = await this.person.call(path, { method: 'DELETE', api });
    if (status === 200) log.deletedCreations.add(creation.id);
    if (status === null || status === 503) log.uncertainCreations.add(creation.id);
    if (status !== 200) return;
    const read = await this.person.call(path, { api: api + 1 });
    if (read.status === 200) this.violation(`creation ${creation.id} was deleted, and can be read`);
    const job = await this.person.call(`/api/jobs/${creation.job.id}`, { api: api + 1 });
    if (job.body.job?.result) this.violation(`the job of the deleted creation ${creation.id} has its result`);
  }

  private async restoreCreation(share: number, api: number): Promise<void> {
    const { log } = this.person;
    const id = at([...log.deletedCreations], share);
    if (!id) return;
    const { status } = await this.person.call(`/api/user/creations/${id}/restore`, { method: 'POST', api });
    if (status === 200) log.deletedCreations.delete(id);
    if (status === null || status === 503) log.uncertainCreations.add(id);
  }

  private async download(share: number, api: number): Promise<void> {
    const image = at(this.images(), share);
    if (!image) return;
    const status = await this.person.download(String(image.job.result!.content), api);
    if (status !== null && status !== 200 && status !== 503)
      this.violation(`the image of creation ${image.id} is answered ${status}`);
  }

  /** Reads and changes what is another's: its existence is not revealed. */
  private async spy(share: number, api: number): Promise<void> {
    const others = this.round.people.filter((other) => other !== this.person);
    const jobs = others.flatMap(({ log }) => log.accepted);
    const job = at(jobs, share);
    if (!job) return;
    const path = `/api/jobs/${job.jobId}`;
    const calls: [string, Call][] = [
      [path, {}],
      [path, { method: 'DELETE' }],
      [`${path}/retry`, { method: 'POST' }],
    ];
    const creation = others
      .flatMap(({ log }) => log.reads)
      .find(({ id, result }) => id === job.jobId && result?.creationId)?.result?.creationId;
    if (typeof creation === 'string')
      calls.push(
        [`/api/user/creations/${creation}`, {}],
        [`/api/user/creations/${creation}`, { method: 'DELETE' }],
        [`/api/user/creations/${creation}/publish`, { json: { publish: true } }],
      );
    for (const [target, call] of calls) {
      const { status } = await this.person.call(target, { ...call, api });
      if (status !== null && ![401, 404, 503].includes(status))
        this.violation(`${call.method ?? 'GET'} ${target} of another user answered ${status}`);
    }
  }

  private async deleteAccount(): Promise<void> {
    const { log } = this.person;
    log.deletedAccount = 'uncertain';
    const { status } = await this.person.callUntilAnswered(
      '/api/user/account',
      { method: 'DELETE', json: { password: PASSWORD } },
      40,
    );
    if (status !== 200) return;
    log.deletedAccount = 'yes';
    for (const api of [0, 1]) {
      const read = await this.person.call('/api/user/account', { api });
      if (read.status === 200) this.violation('the account was deleted, and can be read');
    }
  }

  private violation(text: string): void {
    this.person.log.violations.push(text);
  }
}

/** How many pictures a request for several asks for. */
const groupSize = (share: number) => (share < 0.5 ? 2 : 3);

const PATHS: Partial<Record<ActionName, string>> = {
  article: 'generate-article',
  titles: 'generate-blog-title',
  humanize: 'humanize-text',
  image: 'generate-image',
  group: 'generate-image',
  background: 'remove-image-background',
  object: 'remove-image-object',
  review: 'resume-review',
  score: 'calculate-ats-score',
  rewrite: 'rewrite-text',
  bullets: 'tailored-bullets',
  letter: 'cover-letter',
  chat: 'chat-with-pdf',
};
