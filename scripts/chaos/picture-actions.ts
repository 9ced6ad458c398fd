import type { Files } from './files.ts';
import type { SentBatch } from './log.ts';
import type { ChaosUser } from './chaos-user.ts';
import type { Action } from './plan.ts';
import { at } from '../stack/random.ts';

const BATCH_TOOL = 'remove-image-background';
/** A batch has at least two pictures. */
const MIN_PICTURES = 2;
const EXTRA_PICTURES = 3;

/** Performs a user's actions with batches of pictures and versions of images. */
export class PictureActor {
  private readonly files: Files;
  private readonly user: ChaosUser;
  private readonly marker: () => string;

  constructor(files: Files, user: ChaosUser, marker: () => string) {
    this.files = files;
    this.user = user;
    this.marker = marker;
  }

  /** Starts a batch and sends its pictures; for half of the batches, the last picture is not sent. */
  async batch({ api, sends, share }: Action): Promise<void> {
    const marker = this.marker();
    const count = MIN_PICTURES + Math.floor(share * EXTRA_PICTURES);
    const names = Array.from({ length: count }, (_, i) => `${marker}picture${i + 1}.png`);
    const key = sends === 'async' || sends === 'held' ? null : `batch-${marker}`;
    const answers = await this.user.send('/api/batches', sends, {
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
    const batch: SentBatch = {
      ...{ id, names, key, cancelled: 'no', zip: null },
      ...{ sent: new Set(), leftOut: new Set(), maybeLeftOut: new Set() },
    };
    this.user.log.batches.push(batch);
    for (let n = 1; n <= (share < 0.5 ? count : count - 1); n += 1)
      await this.sendPicture(batch, n, sends, api);
  }

  async sendItem({ api, sends, share }: Action): Promise<void> {
    const picture = this.anyPicture(share);
    if (picture) await this.sendPicture(picture.batch, picture.n, sends, api);
  }

  private anyPicture(share: number) {
    const pictures = this.user.log.batches.flatMap((batch) =>
      batch.names.map((_, i) => ({ batch, n: i + 1 })),
    );
    return at(pictures, share);
  }

  private async sendPicture(batch: SentBatch, n: number, sends: Action['sends'], api: number): Promise<void> {
    const name = batch.names[n - 1]!;
    const form = this.files.form({ image: this.files.image(name) });
    const answers = await this.user.send(`/api/batches/${batch.id}/items/${n}`, sends, { form, api });
    const { accepted } = this.user.log;
    for (const { status, body } of answers) {
      if (status === 200) batch.sent.add(n);
      const jobId = body.item?.jobId;
      if (jobId && !accepted.some((job) => job.jobId === jobId))
        accepted.push({ jobId, tool: 'background', marker: name, key: null, retryOf: null });
    }
  }

  async leaveOutItem({ api, share }: Action): Promise<void> {
    const picture = this.anyPicture(share);
    if (!picture) return;
    const { batch, n } = picture;
    const { status, body } = await this.user.call(`/api/batches/${batch.id}/items/${n}`, {
      method: 'DELETE',
      api,
    });
    if (status === 200) batch.leftOut.add(n);
    if (isUncertain(status)) batch.maybeLeftOut.add(n);
    if (status === 200 && body.item?.state !== 'left-out')
      this.violation(`picture ${n} of batch ${batch.id} was skipped, but is ${body.item?.state}`);
  }

  async cancelBatch({ api, share }: Action): Promise<void> {
    const batch = at(this.user.log.batches, share);
    if (!batch) return;
    const { status, body } = await this.user.call(`/api/batches/${batch.id}`, { method: 'DELETE', api });
    if (status === 200) batch.cancelled = 'yes';
    if (isUncertain(status) && batch.cancelled === 'no') batch.cancelled = 'uncertain';
    const missing = body.batch?.items.filter(({ state }) => state === 'missing') ?? [];
    if (missing.length > 0)
      this.violation(`batch ${batch.id} was cancelled, but still waits for ${missing.length} pictures`);
  }

  /** Saves a version of an image, based on its current version. */
  async saveVersion(creationId: string, { api, sends }: Action): Promise<void> {
    const path = `/api/user/creations/${creationId}/versions`;
    const { body } = await this.user.call(path, { api });
    const base = body.versions?.find(({ current }) => current)?.id;
    if (base === undefined) return;
    const label = this.marker();
    const image = this.files.image(`${label}.png`);
    const headers = { 'Idempotency-Key': `version-${label}` };
    const form = this.files.form({ label, base, image });
    const answers = await this.user.send(path, sends, { form, headers, api });
    const ids = new Set(answers.flatMap(({ body }) => (body.version ? [body.version.id] : [])));
    if (ids.size > 1) this.violation(`the key version-${label} names ${ids.size} versions`);
    const isAnswered = ids.size > 0;
    const [id = ''] = ids;
    if (isAnswered || answers.some(({ status }) => isUncertain(status)))
      this.user.log.versions.push({ id, creationId, label, state: isAnswered ? 'saved' : 'uncertain' });
  }

  async restoreVersion(creationId: string, { api, share }: Action): Promise<void> {
    const path = `/api/user/creations/${creationId}/versions`;
    const { body } = await this.user.call(path, { api });
    const id = at(body.versions ?? [], share)?.id;
    if (id === undefined) return;
    const { status } = await this.user.call(`${path}/${id}/restore`, { method: 'POST', api });
    if (status !== 200) return;
    const { body: after } = await this.user.call(path, { api: api + 1 });
    const current = after.versions?.filter((version) => version.current).map((version) => version.id);
    if (current && (current.length !== 1 || current[0] !== id))
      this.violation(
        `version ${id} of creation ${creationId} was restored, but ${current.join()} is current`,
      );
  }

  async deleteVersion({ api, share }: Action): Promise<void> {
    const version = at(
      this.user.log.versions.filter(({ state }) => state === 'saved'),
      share,
    );
    if (!version) return;
    const path = `/api/user/creations/${version.creationId}/versions`;
    const { status } = await this.user.call(`${path}/${version.id}`, { method: 'DELETE', api });
    if (status === 200) version.state = 'deleted';
    if (isUncertain(status)) version.state = 'uncertain';
    if (status !== 200) return;
    const { body } = await this.user.call(path, { api: api + 1 });
    if (body.versions?.some(({ id }) => id === version.id))
      this.violation(`version ${version.id} was deleted, but is listed`);
  }

  private violation(text: string): void {
    this.user.log.violations.push(text);
  }
}

/** True if the request may have succeeded. */
const isUncertain = (status: number | null) => status === null || status === 503;
