import { setTimeout as pause } from 'node:timers/promises';
import { guessCodes } from '../stack/code-guesser.ts';
import type { Files } from './files.ts';
import { isEnded, type Accepted, type ReceivedJob } from './log.ts';
import { PASSWORD, type Answer, type Call, type ChaosUser } from './chaos-user.ts';
import type { Action, ActionName } from './plan.ts';
import type { OperatorActor } from './operator-actor.ts';
import { PictureActor } from './picture-actions.ts';
import { isSubmission, submissionBody, submissionPath, type Submission } from './submissions.ts';
import { at } from '../stack/random.ts';
import type { World } from './world.ts';

/** The data that the users of a round share. */
export interface Round {
  world: World;
  files: Files;
  users: ChaosUser[];
  operator: OperatorActor;
}

/** Seconds for which the api holds a synchronous call. */
const HELD_SECONDS = 2;
const MAX_TABS = 4;

/** Performs one user's actions of a round. */
export class Actor {
  private readonly round: Round;
  private readonly user: ChaosUser;
  private readonly pictures: PictureActor;
  private count = 0;
  private readonly flows: string[] = [];

  constructor(round: Round, user: ChaosUser) {
    this.round = round;
    this.user = user;
    this.pictures = new PictureActor(round.files, user, this.marker);
  }

  async act(actions: Action[], deletesAccount: boolean): Promise<void> {
    for (const action of actions) {
      await pause(action.wait);
      await this.perform(action);
    }
    if (deletesAccount) await this.deleteAccount();
  }

  private async perform(action: Action): Promise<void> {
    if (isSubmission(action.name)) return this.submit(action.name, action);
    await this.handlers[action.name](action);
  }

  private get = (path: string, { api }: Action) => this.user.call(path, { api });

  private readonly handlers: Record<Exclude<ActionName, Submission>, (action: Action) => unknown> = {
    previewMask: (action) => this.previewMask(action),
    changeImage: (action) => this.changeImage(action),
    batch: (action) => this.pictures.batch(action),
    sendItem: (action) => this.pictures.sendItem(action),
    leaveOutItem: (action) => this.pictures.leaveOutItem(action),
    cancelBatch: (action) => this.pictures.cancelBatch(action),
    flow: (action) => this.startFlow(action),
    retryStep: (action) => this.retryStep(action),
    cancelFlow: ({ share, api }) => {
      const id = at(this.flows, share);
      return id && this.user.call(`/api/flows/${id}`, { method: 'DELETE', api });
    },
    saveVersion: (action) => {
      const image = at(this.images(), action.share);
      return image && this.pictures.saveVersion(image.id, action);
    },
    restoreVersion: (action) => {
      const image = at(this.images(), action.share);
      return image && this.pictures.restoreVersion(image.id, action);
    },
    deleteVersion: (action) => this.pictures.deleteVersion(action),
    cancel: ({ share, api }) => {
      const job = at(this.unfinished(), share) ?? at(this.user.log.accepted, share);
      return job && this.cancel(job.jobId, api);
    },
    retry: ({ share, api }) => {
      const job = at(this.failed(), share);
      return job && this.retry(job, api);
    },
    mismatch: ({ share, api }) => {
      // Clearing the chats deletes their questions, with the keys.
      const keyed = this.user.log.accepted.filter(({ key, tool }) => key && tool !== 'chat');
      const job = at(keyed, share);
      return job && this.mismatch(job, api);
    },
    readJob: (action) => {
      const job = at(this.user.log.accepted, action.share);
      return job && this.get(`/api/jobs/${job.jobId}`, action);
    },
    listJobs: (action) =>
      this.get(action.share < 0.5 ? '/api/jobs' : '/api/jobs?status=failed&limit=5', action),
    listCreations: (action) => this.get('/api/user/get-user-creations', action),
    search: (action) =>
      this.get(
        `/api/user/get-user-creations?search=${action.share < 0.5 ? 'version' : 'tomatoes chaos'}`,
        action,
      ),
    publish: ({ share, api }) => this.publish(share, api, true),
    unpublish: ({ share, api }) => this.publish(share, api, false),
    like: (action) => this.like(action),
    deleteCreation: (action) => this.deleteCreation(action),
    restoreCreation: (action) => this.restoreCreation(action),
    download: (action) => this.download(action),
    setPicture: ({ api }) => {
      const { files } = this.round;
      const form = files.form({ picture: files.image(`${this.marker()}.png`) });
      return this.user.call('/api/user/picture', { method: 'PUT', form, api });
    },
    removePicture: ({ api }) => this.user.call('/api/user/picture', { method: 'DELETE', api }),
    rename: ({ api }) => this.user.call('/api/auth/update-user', { json: { name: this.user.log.name }, api }),
    switchPlan: ({ share, api }) => {
      this.user.log.switchedPlan = true;
      return this.user.call('/api/user/plan', { json: { plan: share < 0.5 ? 'free' : 'premium' }, api });
    },
    readChats: (action) => this.get('/api/ai/pdf-chat-history', action),
    clearChats: ({ api }) => this.user.call('/api/ai/pdf-chat-history', { method: 'DELETE', api }),
    account: (action) => this.get('/api/user/account', action),
    openTab: ({ api }) =>
      this.user.tabs.filter(({ log }) => log.isOpen).length < MAX_TABS && this.user.openTab(api),
    closeTab: ({ share }) => at(this.user.tabs, share)?.close(),
    dropTab: ({ share }) => at(this.user.tabs, share)?.drop(),
    spy: (action) => this.spy(action),
    leaveUnread: ({ api }) => this.user.leaveUnread(api),
    guessCodes: async ({ api }) => {
      // Without the name of this user, who may be deleted.
      const name = this.marker().replace('chaos', 'guess');
      for (const violation of await guessCodes(this.round.world, name, api)) this.violation(violation);
    },
    operatorCancel: ({ share, api }) => {
      const job = at(this.unfinished(), share) ?? at(this.user.log.accepted, share);
      return job && this.round.operator.cancel(job.jobId, api);
    },
    operatorRetry: (action) => this.retryByOperator(action),
    operatorSuspend: ({ api }) => this.round.operator.suspend(this.user, api),
  };

  /** A unique ASCII word that identifies this user and request. */
  private marker = () => `${this.user.log.name}n${(this.count += 1)}e`;

  /** The newest state of a job that this user received. */
  private latest(id: string): ReceivedJob | undefined {
    const states = [
      ...this.user.log.reads.filter((job) => job.id === id),
      ...this.user.tabs.flatMap(({ log }) => log.view.get(id) ?? []),
    ];
    return states.toSorted((one, other) => other.revision - one.revision)[0];
  }

  private unfinished = () =>
    this.user.log.accepted.filter(({ jobId }) => !isEnded(this.latest(jobId) ?? { status: '' }));

  private failed = () =>
    this.user.log.accepted.filter(({ jobId }) =>
      ['failed', 'cancelled'].includes(this.latest(jobId)?.status ?? ''),
    );

  /** Creations of the user's jobs, from the results that clients received. */
  private creations = () =>
    this.user.log.accepted.flatMap(({ jobId }) => {
      const job = this.latest(jobId);
      const id = job?.result?.creationId;
      return typeof id === 'string' ? [{ id, job: job! }] : [];
    });

  /** Images among the creations, without deleted ones. */
  private images = () => {
    const { deletedCreations, uncertainCreations } = this.user.log;
    return this.creations().filter(
      ({ id, job }) =>
        String(job.result?.content).includes('/files/') &&
        !deletedCreations.has(id) &&
        !uncertainCreations.has(id),
    );
  };

  private async submit(tool: Submission, { sends, api, provider, share }: Action): Promise<void> {
    const marker = this.marker();
    const text = `Chaos ${marker} tomatoes ${provider}`.trim();
    const path = submissionPath(tool);
    const key = sends === 'keyed' || sends === 'twice' ? `key-${marker}` : null;
    const call: Call = {
      ...submissionBody(this.round.files, tool, { marker, text, share }),
      headers: {
        Prefer: sends === 'held' ? `wait=${HELD_SECONDS}` : 'respond-async',
        ...(key && { 'Idempotency-Key': key }),
      },
      api,
    };
    for (const answer of await this.user.send(path, sends, call)) this.record(tool, marker, key, answer);
  }

  /** Submits a job with an image as its input. */
  private async changeImage({ share, api, provider }: Action): Promise<void> {
    const image = at(this.images(), share);
    if (!image) return;
    const marker = this.marker();
    const json = { prompt: `Chaos ${marker} tomatoes ${provider}`.trim(), creation: image.id };
    const headers = { Prefer: 'respond-async' };
    const { body } = await this.user.call('/api/ai/generate-image', { json, headers, api });
    if (!body.job) return;
    const jobId = body.job.id;
    this.user.log.accepted.push({
      ...{ jobId, tool: 'image', marker, key: null, retryOf: null },
      source: image.id,
    });
    this.user.show(body.job);
  }

  /** Requests the preview of a removal, which must create no job and so no charge. */
  private async previewMask({ api }: Action): Promise<void> {
    const { files } = this.round;
    const marker = this.marker();
    const form = files.form({ image: files.image(`${marker}.png`), object: `ball ${marker}` });
    const { body } = await this.user.call('/api/ai/remove-image-object/mask', { form, api });
    if (body.job ?? body.jobId) this.violation('a preview of a mask created a job');
  }

  private record(tool: Submission, marker: string, key: string | null, { status, body }: Answer): void {
    const jobId = body.job?.id ?? body.jobId ?? body.details?.jobId;
    if (status === null || !jobId) return;
    const jobs = body.jobs ?? [];
    const groupOf = jobs.length > 1 ? jobs.length : undefined;
    this.user.log.accepted.push({ jobId, tool, marker, key, retryOf: null, groupOf });
    for (const { id } of jobs.slice(1))
      this.user.log.accepted.push({ jobId: id, tool, marker, key: null, retryOf: null });
    for (const job of jobs.length > 0 ? jobs : [body.job]) if (job) this.user.show(job);
  }

  /** Starts a flow of titles and an article. */
  private async startFlow({ sends, api, provider }: Action): Promise<void> {
    const marker = this.marker();
    const json = {
      prompt: `Chaos ${marker} tomatoes ${provider}`.trim(),
      steps: 'generate-blog-title,generate-article',
    };
    const headers = { 'Idempotency-Key': `flow-${marker}` };
    const answers = await Promise.all(
      (sends === 'twice' ? [0, 1] : [0]).map((i) =>
        this.user.call('/api/flows/article', { json, headers, api: api + i }),
      ),
    );
    const ids = new Set(answers.flatMap(({ body }) => (body.flow ? [body.flow.id] : [])));
    if (ids.size > 1) this.violation(`the key flow-${marker} names ${ids.size} flows`);
    this.flows.push(...ids);
  }

  private async retryStep({ share, api }: Action): Promise<void> {
    const id = at(this.flows, share);
    const steps = id ? (await this.user.call(`/api/flows/${id}`, { api })).body.flow?.steps : undefined;
    const failed = steps?.find(({ state }) => state === 'failed' || state === 'cancelled');
    if (!failed?.jobId) return;
    const headers = { Prefer: 'respond-async' };
    await this.user.call(`/api/jobs/${failed.jobId}/retry`, { method: 'POST', headers, api });
  }

  private async cancel(jobId: string, api: number): Promise<void> {
    const { body } = await this.user.call(`/api/jobs/${jobId}`, { method: 'DELETE', api });
    if (body.job) this.user.show(body.job);
  }

  private async retry({ jobId, tool, marker }: Accepted, api: number): Promise<void> {
    const { body } = await this.user.call(`/api/jobs/${jobId}/retry`, {
      method: 'POST',
      headers: { Prefer: 'respond-async' },
      api,
    });
    if (!body.job) return;
    this.user.log.accepted.push({ jobId: body.job.id, tool, marker, key: null, retryOf: jobId });
    this.user.show(body.job);
  }

  /** Of a failed job, or of one that the operator cancels before. */
  private async retryByOperator({ share, api, sends }: Action): Promise<void> {
    const { operator } = this.round;
    const failed = at(this.failed(), share);
    const job = failed ?? at(this.unfinished(), share);
    if (!job) return;
    if (!failed) await operator.cancel(job.jobId, api);
    await operator.retry(job, this.user, sends === 'twice', api);
  }

  /** Sends another request with a used key. */
  private async mismatch({ key, tool }: Accepted, api: number): Promise<void> {
    const { status, body } = await this.user.call('/api/ai/generate-article', {
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
    const { status } = await this.user.call(`/api/user/creations/${creation.id}/publish`, {
      json: { publish },
      api,
    });
    if (status !== 200 || publish) return;
    const image = await this.user.call(`/c/${creation.id}/image`, { api: api + 1 });
    if (image.status === 200)
      this.violation(`creation ${creation.id} was unpublished, but its image is still public`);
  }

  private async like({ share, api }: Action): Promise<void> {
    const { body } = await this.user.call('/api/user/get-published-creations?limit=20', { api });
    const creation = at(body.creations ?? [], share);
    if (creation) await this.user.call('/api/user/toggle-like-creation', { json: { id: creation.id }, api });
  }

  private async deleteCreation({ share, api }: Action): Promise<void> {
    const { log } = this.user;
    const creation = at(
      this.creations().filter(({ id }) => !log.deletedCreations.has(id)),
      share,
    );
    if (!creation) return;
    const path = `/api/user/creations/${creation.id}`;
    const { status } = await this.user.call(path, { method: 'DELETE', api });
    if (status === 200) log.deletedCreations.add(creation.id);
    if (status === null || status === 503) log.uncertainCreations.add(creation.id);
    if (status !== 200) return;
    const read = await this.user.call(path, { api: api + 1 });
    if (read.status === 200) this.violation(`creation ${creation.id} was deleted, but can be read`);
    const job = await this.user.call(`/api/jobs/${creation.job.id}`, { api: api + 1 });
    if (job.body.job?.result)
      this.violation(`the job of the deleted creation ${creation.id} still has its result`);
  }

  private async restoreCreation({ share, api }: Action): Promise<void> {
    const { log } = this.user;
    const id = at([...log.deletedCreations], share);
    if (!id) return;
    const { status } = await this.user.call(`/api/user/creations/${id}/restore`, { method: 'POST', api });
    if (status === 200) log.deletedCreations.delete(id);
    if (status === null || status === 503) log.uncertainCreations.add(id);
  }

  private async download({ share, api }: Action): Promise<void> {
    const image = at(this.images(), share);
    if (!image) return;
    const status = await this.user.download(String(image.job.result!.content), api);
    if (status !== null && status !== 200 && status !== 503)
      this.violation(`the image of creation ${image.id} is answered ${status}`);
  }

  /** Tries to read and change another user's data. The answers must not reveal that it exists. */
  private async spy({ share, api }: Action): Promise<void> {
    const others = this.round.users.filter((other) => other !== this.user);
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
      const { status } = await this.user.call(target, { ...call, api });
      if (status !== null && ![401, 404, 429, 503].includes(status))
        this.violation(`${call.method ?? 'GET'} ${target} of another user answered ${status}`);
    }
  }

  private async deleteAccount(): Promise<void> {
    const { log } = this.user;
    log.deletedAccount = 'uncertain';
    const { status } = await this.user.callUntilAnswered(
      '/api/user/account',
      { method: 'DELETE', json: { password: PASSWORD } },
      40,
    );
    if (status !== 200) return;
    log.deletedAccount = 'yes';
    for (const api of [0, 1]) {
      const read = await this.user.call('/api/user/account', { api });
      if (read.status === 200) this.violation('the account was deleted, but can be read');
    }
  }

  private violation(text: string): void {
    this.user.log.violations.push(text);
  }
}
