import { afterAll, beforeAll, expect, it } from '@jest/globals';
import sharp from 'sharp';
import type { Job } from '#libs/contract/jobs.js';
import { describeOnBothBackends } from '../support/backends.ts';
import { allowTimeForPrograms } from '../support/time-limits.ts';
import { query } from '../../scripts/stack/query.ts';
import { until } from '../support/until.ts';
import { listen } from './listener.ts';
import { RunningProduct, type User } from './running-product.ts';

allowTimeForPrograms();

/** Lifetime in seconds of a token that is renewed in time; clients are asked to renew it after half of it. */
const SHORT = 12;

const END_LISTENING = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE application_name = 'pressroom-events' AND datname = current_database()`;

describeOnBothBackends('Live events', (backend) => {
  let product: RunningProduct;
  let ada: User;
  beforeAll(async () => {
    const { database, redis } = backend();
    product = await RunningProduct.start({ databaseUrl: database.url, redisUrl: redis?.url }, { apis: 2 });
    ada = await product.user();
  });
  afterAll(() => product?.close());

  it('sends the same whole text to a socket on every api, to one that reconnects and to a late one', async () => {
    const here = await ada.listen(product.apis[0]);
    const there = await ada.listen(product.apis[1]);
    const bob = await (await product.user()).listen(product.apis[1]);
    const { id } = await ada.start('Watched 🦊 漢字 [[words:160]][[stop]]');

    await until('the text to begin', () => there.textOf(id) !== '');
    here.close();
    const sofar = await ada.job(id);
    const late = await ada.listen(product.apis[0]);
    await product.goOn();
    const job = await ada.ended(id);
    const text = job.result?.content as string;

    await until(
      'the last event',
      () =>
        there.jobs.some((one) => one.id === id && one.status === 'succeeded') &&
        late.jobs.some((one) => one.id === id && one.status === 'succeeded'),
    );
    expect(there.textOf(id).trim()).toBe(text.trim());
    expect(job.partial).toBe(text);
    expect(text.startsWith(sofar.partial!)).toBe(true);
    // The late socket reads `partial` up to its first offset, and receives deltas from there.
    const [first] = late.deltas;
    expect(text.slice(0, first!.offset) + late.deltas.map((delta) => delta.text).join('')).toBe(
      text.trimEnd(),
    );
    expect(bob.jobs.concat(bob.deltas as never[])).toEqual([]);
    for (const listener of [there, late, bob]) listener.close();
  });

  it('publishes every change of a job with its own revision and without the text', async () => {
    const listener = await ada.listen(product.apis[1]);
    const { id } = await ada.start('Revised [[words:120]][[stop]]', { api: product.apis[0] });
    const isOnTheWay = (job: Job) =>
      job.id === id &&
      job.status === 'running' &&
      job.progress.stage === 'writing' &&
      job.progress.percent > 5;
    await until('half of it to be published', () => listener.jobs.some(isOnTheWay));
    await product.goOn();
    const final = await ada.ended(id);
    await until('the last event', () =>
      listener.jobs.some((job) => job.id === id && job.status === 'succeeded'),
    );
    const jobs = listener.jobs.filter((job) => job.id === id);
    const kept = jobs.filter(
      (job, i) => job.revision > Math.max(-1, ...jobs.slice(0, i).map(({ revision }) => revision)),
    );
    const revisions = jobs.map(({ revision }) => revision);
    expect(new Set(revisions).size).toBe(revisions.length);
    // A client that drops what is older than what it has sees the job go one way only.
    expect(kept.map(({ progress }) => progress.percent)).toEqual(
      kept.map(({ progress }) => progress.percent).toSorted((a, b) => a - b),
    );
    expect(kept.at(-1)).toMatchObject({ status: 'succeeded', revision: final.revision });
    expect(kept.some(isOnTheWay)).toBe(true);
    expect(jobs.some((job) => 'partial' in job)).toBe(false);
    listener.close();
  });

  // Pitfall: "bar stuck, or a flood of replayed events, after reconnect" (ComfyUI_frontend#3856, #8136, open-webui#29596)
  it('batches a fast stream into few events, and replays none after a reconnect', async () => {
    const listener = await ada.listen();
    const { id } = await ada.start('Fast [[words:1200]][[pace:1]]');
    const job = await ada.ended(id);
    await until('the last event', () =>
      listener.jobs.some((one) => one.id === id && one.status === 'succeeded'),
    );
    expect(listener.textOf(id).trim()).toBe((job.result?.content as string).trim());
    const seconds = (Date.parse(job.finishedAt!) - Date.parse(job.startedAt!)) / 1000;
    expect(listener.deltas.length).toBeLessThan(25 * seconds + 5);
    expect(listener.jobs.length).toBeLessThan(4 * seconds + 10);
    listener.close();

    const back = await ada.listen();
    const next = await ada.start('The next one');
    await until('the end of the next', () =>
      back.jobs.some((one) => one.id === next.id && one.status === 'succeeded'),
    );
    expect([...back.jobs, ...back.deltas].filter((event) => event.id === id)).toEqual([]);
    back.close();
  });

  it('lets clients connect and read again when an api may have missed events', async () => {
    const listeners = await Promise.all(product.apis.map((api) => ada.listen(api, { reconnection: true })));
    const left = listeners.map(({ socket }) => {
      const reasons: string[] = [];
      socket.on('disconnect', (reason) => reasons.push(reason));
      return reasons;
    });
    // A user whom this api has cached is deleted, and the api misses the event.
    const bob = await product.user();
    const readJobs = () => bob.call('/api/jobs', { api: product.apis[0] });
    expect((await readJobs()).status).toBe(200);
    await product.sql(`DELETE FROM users WHERE id = '${bob.id}'`);
    await product.sql(`DELETE FROM auth_users WHERE id = '${bob.id}'`);
    const { database, redis } = backend();
    if (redis) await redis.restart();
    else await query(database.url, END_LISTENING);
    await until('the sockets to be closed', () => left.every((reasons) => reasons.length > 0));
    expect((await readJobs()).status).toBe(401);
    await until('them to connect by themselves', () => listeners.every(({ socket }) => socket.connected));
    const { id } = await ada.start('Published again');
    await until('its end', () =>
      listeners.every(({ jobs }) => jobs.some((job) => job.id === id && job.status === 'succeeded')),
    );
    expect(left.map((reasons) => reasons.length)).toEqual([1, 1]);
    for (const listener of listeners) listener.close();
  });

  it('shows previews of an image to its owner on every device, until it is finished', async () => {
    const [grace, stranger] = [await product.user({ plan: 'premium' }), await product.user()];
    const [here, there] = [await grace.listen(product.apis[0]), await grace.listen(product.apis[1])];
    const other = await stranger.listen(product.apis[1]);
    const { id } = await grace.startImage('A lighthouse [[stop:2]]');
    await until('the first preview', () => here.previews.length === 1 && there.previews.length === 1);
    const [first] = there.previews;
    expect(first).toMatchObject({ id, attempt: 1, index: 0 });
    expect((await grace.job(id)).preview).toEqual({ attempt: 1, index: 0, url: first!.url });
    const image = (await grace.preview(first!.url)) as Buffer;
    expect(await sharp(image).metadata()).toMatchObject({ format: 'webp', width: 640, height: 640 });
    expect(image.length).toBeLessThan(128 * 1024);
    expect(await grace.preview(first!.url, stranger.token)).toBe(404);
    expect(await grace.preview(first!.url, '')).toBe(401);

    await product.goOn();
    await until('the next one', () => here.previews.length === 2);
    expect(await grace.job(id)).toMatchObject({ status: 'running', preview: { attempt: 1, index: 1 } });
    await product.goOn();
    expect(await grace.ended(id)).toMatchObject({ status: 'succeeded', preview: null });
    expect(await grace.preview(first!.url)).toBe(204);
    expect(await product.sql('SELECT FROM job_previews')).toEqual([]);
    expect(other.previews).toEqual([]);
    for (const listener of [here, there, other]) listener.close();
  });

  // Pitfall: "socket recovery has gaps (no event yet received, only once)" (socket.io#5538, #4880)
  it('lets a socket that missed all events read the same text', async () => {
    const earlier = await ada.listen();
    const { id } = await ada.start('Missed [[words:80]][[pace:20]]');
    await until('the last event', () =>
      earlier.jobs.some((job) => job.id === id && job.status === 'succeeded'),
    );
    earlier.close();
    const listener = await ada.listen();
    const job = await ada.job(id);
    expect(listener.deltas).toEqual([]);
    expect(job).toMatchObject({ status: 'succeeded', partial: job.result?.content });
    listener.close();
  });

  it('publishes plan and credits as they change', async () => {
    const bob = await product.user();
    const listener = await bob.listen(product.apis[1]);
    const { id } = await bob.start('Charged [[hang:stream]]');
    await until('the charge', () => listener.accounts.some(({ credits }) => credits.remaining === 29));
    await bob.call(`/api/jobs/${id}`, { method: 'DELETE' });
    await until('the refund', () => listener.accounts.at(-1)?.credits.remaining === 30);
    expect(listener.accounts.at(-1)).toMatchObject({ plan: 'free', profile: { id: bob.id } });
    listener.close();
  });

  it('asks for a new token before the old one expires, and closes sockets that send none', async () => {
    const stranger = await product.user();
    const refused = ['nonsense', 7, stranger.token, await product.tokenFor(ada.id, { seconds: -60 })];
    const longer = await product.tokenFor(ada.id, { seconds: 120 });
    const [renewing, silent] = await Promise.all(
      [1, 2].map(async () =>
        listen(product.apis[0]!.address, await product.tokenFor(ada.id, { seconds: SHORT })),
      ),
    );
    await until('both to be asked', () => renewing!.expiring.length === 1 && silent!.expiring.length === 1);
    expect(renewing!.expiring[0]!.seconds).toBeLessThanOrEqual(SHORT);

    const renew = (token: unknown) =>
      renewing!.socket.timeout(10_000).emitWithAck('token', { token } as { token: string });
    for (const token of refused) expect(await renew(token)).toEqual({ success: false });
    expect(await renew(longer)).toEqual({ success: true });

    await until('the silent one to be closed', () => !silent!.socket.connected);
    const { id } = await ada.start('After the renewal');
    await until('an event after the renewal', () => renewing!.jobs.some((job) => job.id === id));
    expect(renewing!.socket.connected).toBe(true);
    await ada.ended(id);
    renewing!.close();
  });

  it('survives any message from a socket', async () => {
    const listener = await ada.listen(product.apis[0]);
    const anything = listener.socket as unknown as { emit: (event: string, ...payload: unknown[]) => void };
    for (const payload of [
      [],
      [null],
      ['x'],
      [7, 'no function'],
      [{ token: 'x' }],
      [{ token: {} }, () => undefined],
      [[]],
    ])
      anything.emit('token', ...payload);
    anything.emit('job', { id: 'mine' });
    anything.emit('unknown event');
    // Packets are read in their order: all before this one were.
    const renewal = listener.socket.timeout(10_000).emitWithAck('token', { token: 'x' });
    expect(await renewal).toEqual({ success: false });
    expect((await ada.call('/health/live')).status).toBe(200);
    expect(listener.socket.connected).toBe(true);
    listener.close();
  });

  it('publishes changes of the queue position to waiting users', async () => {
    const [bob, premium] = [await product.user(), await product.user({ plan: 'premium' })];
    await product.stopWorkers('SIGKILL');
    const listener = await bob.listen(product.apis[1]);
    const [first, second] = [await bob.start('First in line'), await bob.start('Second in line')];
    expect([first.position, second.position]).toEqual([1, 2]);
    const positionsOf = (id: string) =>
      listener.positions.filter((place) => place.id === id).map(({ position }) => position);
    await until('both places', () => positionsOf(first.id).includes(1) && positionsOf(second.id).includes(2));
    const ahead = await premium.start('Premium is first');
    expect(ahead.position).toBe(1);
    await until(
      'both places to move back',
      () => positionsOf(first.id).includes(2) && positionsOf(second.id).includes(3),
    );
    await bob.call(`/api/jobs/${first.id}`, { method: 'DELETE' });
    await until('the second to move up', () => positionsOf(second.id).at(-1) === 2);
    product.startWorker();
    expect(await bob.ended(second.id)).toMatchObject({ status: 'succeeded', position: null });
    expect(await premium.ended(ahead.id)).toMatchObject({ status: 'succeeded' });
    listener.close();
  });
});
