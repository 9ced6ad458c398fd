import type { Files } from './files.ts';
import type { SeenBatch } from './log.ts';
import type { Answer, Call, Person } from './person.ts';
import type { Action } from './plan.ts';
import { at } from '../stack/random.ts';

const BATCH_TOOL = 'remove-image-background';
/** A batch has two pictures or more. */
const LEAST_PICTURES = 2;
const MORE_PICTURES = 3;

/** What a person does with batches of pictures and with versions of images. */
export class PictureActor {
  private readonly files: Files;
  private readonly person: Person;
  private readonly marker: () => string;

  constructor(files: Files, person: Person, marker: () => string) {
    this.files = files;
    this.person = person;
    this.marker = marker;
  }

  /** Starts one and sends its pictures, of every second one all but the last. */
  async batch({ api, sends, share }: Action): Promise<void> {
    const marker = this.marker();
    const count = LEAST_PICTURES + Math.floor(share * MORE_PICTURES);
    const names = Array.from({ length: count }, (_, i) => `${marker}picture${i + 1}.png`);
    const key = sends === 'async' || sends === 'held' ? null : `batch-${marker}`;
    const answers = await this.send('/api/batches', sends, {
      json: {
        tool: BATCH_TOOL,
        items: names.map((name, i) => ({ id: `${marker}-${i}`, name, size: 1_000 })),
      },
      headers: key === null ? {} : { 'Idempotency-Key': key },
      api,
    });
    const ids = new Set(answers.flatMap(({ body }) => (body.batch ? [body.batch.id] : [])));
    const [id] = ids;
    if (ids.size > 1) this.violation(`the key ${key} names ${ids.size} batches`);
    if (id === undefined) return;
    const batch: SeenBatch = {
      ...{ id, names, key, cancelled: 'no', zip: null },
      ...{ sent: new Set(), leftOut: new Set(), maybeLeftOut: new Set() },
    };
    this.person.log.batches.push(batch);
    for (let n = 1; n <= (share < 0.5 ? count : count - 1); n += 1)
      await this.sendPicture(batch, n, sends, api);
  }

  async sendItem({ api, sends, share }: Action): Promise<void> {
    const pictures = this.person.log.batches.flatMap((batch) =>
      batch.names.map((_, i) => ({ batch, n: i + 1 })),
    );
    const picture = at(pictures, share);
    if (picture) await this.sendPicture(picture.batch, picture.n, sends, api);
  }

  private async sendPicture(batch: SeenBatch, n: number, sends: Action['sends'], api: number): Promise<void> {
    const name = batch.names[n - 1]!;
    const form = this.files.form({ image: this.files.image(name) });
    const answers = await this.send(`/api/batches/${batch.id}/items/${n}`, sends, { form, api });
    const { accepted } = this.person.log;
    for (const { status, body } of answers) {
      if (status === 200) batch.sent.add(n);
      const jobId = body.item?.jobId;
      if (jobId && !accepted.some((job) => job.jobId === jobId))
        accepted.push({ jobId, tool: 'background', marker: name, key: null, retryOf: null });
    }
  }

  async leaveOutItem({ api, share }: Action): Promise<void> {
    const pictures = this.person.log.batches.flatMap((batch) =>
      batch.names.map((_, i) => ({ batch, n: i + 1 })),
    );
    const picture = at(pictures, share);
    if (!picture) return;
    const { batch, n } = picture;
    const { status, body } = await this.person.call(`/api/batches/${batch.id}/items/${n}`, {
      method: 'DELETE',
      api,
    });
    if (status === 200) batch.leftOut.add(n);
    if (isUncertain(status)) batch.maybeLeftOut.add(n);
    if (status === 200 && body.item?.state !== 'left-out')
      this.violation(`picture ${n} of batch ${batch.id} was left out, and is ${body.item?.state}`);
  }

  async cancelBatch({ api, share }: Action): Promise<void> {
    const batch = at(this.person.log.batches, share);
    if (!batch) return;
    const { status, body } = await this.person.call(`/api/batches/${batch.id}`, { method: 'DELETE', api });
    if (status === 200) batch.cancelled = 'yes';
    if (isUncertain(status) && batch.cancelled === 'no') batch.cancelled = 'uncertain';
    const missing = body.batch?.items.filter(({ state }) => state === 'missing') ?? [];
    if (missing.length > 0)
      this.violation(`batch ${batch.id} was cancelled, and ${missing.length} pictures are missing`);
  }

  /** Saves a version of an image, made from the one that is shown. */
  async saveVersion(creationId: string, { api, sends }: Action): Promise<void> {
    const path = `/api/user/creations/${creationId}/versions`;
    const { body } = await this.person.call(path, { api });
    const base = body.versions?.find(({ current }) => current)?.id;
    if (base === undefined) return;
    const label = this.marker();
    const image = this.files.image(`${label}.png`);
    const headers = { 'Idempotency-Key': `version-${label}` };
    const form = this.files.form({ label, base, image });
    const answers = await this.send(path, sends, { form, headers, api });
    const ids = new Set(answers.flatMap(({ body }) => (body.version ? [body.version.id] : [])));
    if (ids.size > 1) this.violation(`the key version-${label} names ${ids.size} versions`);
    const isAnswered = ids.size > 0;
    const [id = ''] = ids;
    if (isAnswered || answers.some(({ status }) => isUncertain(status)))
      this.person.log.versions.push({ id, creationId, label, state: isAnswered ? 'saved' : 'uncertain' });
  }

  async restoreVersion(creationId: string, { api, share }: Action): Promise<void> {
    const path = `/api/user/creations/${creationId}/versions`;
    const { body } = await this.person.call(path, { api });
    const id = at(body.versions ?? [], share)?.id;
    if (id === undefined) return;
    const { status } = await this.person.call(`${path}/${id}/restore`, { method: 'POST', api });
    if (status !== 200) return;
    const { body: after } = await this.person.call(path, { api: api + 1 });
    const current = after.versions?.filter((version) => version.current).map((version) => version.id);
    if (current && (current.length !== 1 || current[0] !== id))
      this.violation(`version ${id} of creation ${creationId} was restored, and ${current.join()} is shown`);
  }

  async deleteVersion({ api, share }: Action): Promise<void> {
    const version = at(
      this.person.log.versions.filter(({ state }) => state === 'saved'),
      share,
    );
    if (!version) return;
    const path = `/api/user/creations/${version.creationId}/versions`;
    const { status } = await this.person.call(`${path}/${version.id}`, { method: 'DELETE', api });
    if (status === 200) version.state = 'deleted';
    if (isUncertain(status)) version.state = 'uncertain';
    if (status !== 200) return;
    const { body } = await this.person.call(path, { api: api + 1 });
    if (body.versions?.some(({ id }) => id === version.id))
      this.violation(`version ${version.id} was deleted, and is listed`);
  }

  /** A call that may be repeated, as planned: once, until it is answered, or twice at the same time. */
  private async send(path: string, sends: Action['sends'], call: Call): Promise<Answer[]> {
    if (sends === 'keyed') return [await this.person.callUntilAnswered(path, call)];
    const calls = sends === 'twice' ? [0, 1] : [0];
    return Promise.all(calls.map((i) => this.person.call(path, { ...call, api: (call.api ?? 0) + i })));
  }

  private violation(text: string): void {
    this.person.log.violations.push(text);
  }
}

/** Without an answer, it may have been done all the same. */
const isUncertain = (status: number | null) => status === null || status === 503;
