/** @jest-environment ./test/web/dom-environment.mjs */
import { describe, expect, it } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import type { BatchItem, BatchWithItems } from '#libs/contract/batches.js';
import { fakeComposer } from '../../../../test/web/fake-composer';
import { renderInApp } from '../../../../test/web/render-in-app';
import { failure, stubApi } from '../../../../test/web/stub-api';
import { batchFiles } from '../../modules/runs/state/batch-files';
import { BatchStore } from '../../modules/runs/state/batch-store';
import { BatchUploads } from '../../modules/runs/state/batch-uploads';
import { ApiFailure } from '../../shared/http/http';
import BatchPage from './batch-page';

const ID = '11111111-1111-4111-8111-111111111111';
const states = ['succeeded', 'running', 'queued', 'missing'] as const;
const batch: BatchWithItems = {
  id: ID,
  tool: 'remove-image-background',
  title: 'Harbours',
  input: {},
  status: 'open',
  counts: {
    total: 4,
    missing: 1,
    queued: 1,
    running: 1,
    succeeded: 1,
    failed: 0,
    cancelled: 0,
    leftOut: 0,
    toCheck: 0,
  },
  credits: 0,
  zip: null,
  revision: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
  openUntil: '2026-01-08T00:00:00.000Z',
  originals: { count: 0, bytes: 0 },
  items: states.map((state, index) => ({
    n: index + 1,
    id: String(index + 1),
    name: `${index + 1}.png`,
    size: 1,
    state,
    jobId: null,
    sendableAgain: false,
    creationId: null,
    content: null,
    thumbnail: null,
    warnings: [],
    original: null,
    error: null,
  })),
};
const api = stubApi();

function renderPage(store = new BatchStore((flush) => flush()), uploads: BatchUploads | null = null) {
  return renderInApp(
    <Routes>
      <Route path="/ai/batches/:id" element={<BatchPage />} />
    </Routes>,
    { path: `/ai/batches/${ID}`, retry: true, batches: store, uploads },
  );
}

async function openPage() {
  api.on('GET /api/batches/:id', { batch });
  const view = renderPage();
  await screen.findByRole('heading', { name: 'Harbours' });
  return view;
}

describe('BatchPage', () => {
  it('says that it could not be loaded while it retries', async () => {
    api.on('GET /api/batches/:id', failure('INTERNAL', 'The server is down.'));
    const { user } = renderPage();
    expect((await screen.findByRole('alert')).textContent).toContain(
      'The server is down. Retrying automatically.',
    );
    api.on('GET /api/batches/:id', { batch });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByRole('heading', { name: 'Harbours' });
  });

  it('lists pictures to check first', async () => {
    const warnings = [{ code: 'check-edge' as const, message: 'Check this edge.', area: null }];
    const items = batch.items.map((one) =>
      one.n === 3 ? { ...one, state: 'succeeded' as const, warnings } : one,
    );
    api.on('GET /api/batches/:id', { batch: { ...batch, counts: { ...batch.counts, toCheck: 1 }, items } });
    renderPage();
    const rows = within(await screen.findByRole('list', { name: 'Pictures' })).getAllByRole('listitem');
    expect(rows[0]?.textContent).toContain('3.png');
    expect(rows[0]?.textContent).toContain('Check its edge');
    expect(screen.getAllByText(/1 to check/).length).toBeGreaterThan(0);
  });

  describe('with results', () => {
    const asked = fakeComposer();
    const idOf = (n: number) => `${n}${ID.slice(1)}`;
    const finished = (n: number) => ({
      ...{ n, id: String(n), name: `${n}.png`, state: 'succeeded' as const, creationId: idOf(n) },
      ...{ content: `/files/${n}`, thumbnail: `/files/small-${n}` },
    });
    const versionsOf = (n: number) => [
      ...[{ id: idOf(n), number: 1, label: 'As it was made', createdAt: batch.createdAt, current: true }].map(
        (version) => ({
          ...{ content: `/files/${n}`, thumbnail: null, type: 'image/png', width: 40, height: 30 },
          ...{ original: true, cutOut: true, named: false, ...version },
        }),
      ),
    ];
    const openResults = async () => {
      const items = batch.items.map((item, index) => ({ ...item, ...(index < 3 && finished(index + 1)) }));
      const originals = { count: 3, bytes: 3_000_000 };
      const counts = { ...batch.counts, succeeded: 3, queued: 0, running: 0 };
      api.on('GET /api/batches/:id', { batch: { ...batch, counts, items, originals } });
      for (const n of [1, 2, 3]) {
        api.on(`GET /api/user/creations/${idOf(n)}`, {
          creation: { id: idOf(n), jobId: null, madeFrom: null, type: 'image', prompt: '' },
          ...{ sources: [], batch: null },
        });
        api.on(`GET /api/user/creations/${idOf(n)}/versions`, { versions: versionsOf(n) });
        api.on(`GET /files/${n}`, new Response('bytes'));
      }
      const view = renderPage();
      await screen.findByRole('heading', { name: 'Harbours' });
      return view;
    };
    const sentTo = (end: string) =>
      api.requests.filter(({ method, path }) => method === 'POST' && path.endsWith(end));

    it('gives the selected ones the same background, and undoes it', async () => {
      const { user } = await openResults();
      await user.click(screen.getByRole('checkbox', { name: 'Select 1.png' }));
      await user.click(screen.getByRole('checkbox', { name: 'Select 3.png' }));
      await user.click(screen.getByRole('button', { name: 'Background and size (2)' }));
      await user.click(await screen.findByRole('radio', { name: 'Colour' }));
      api.on(
        `POST /api/user/creations/${idOf(3)}/versions`,
        failure('VERSION_CONFLICT', 'It was changed elsewhere.'),
      );
      api.on(`POST /api/user/creations/${idOf(1)}/versions`, { version: {}, creation: {} });
      await user.click(screen.getByRole('button', { name: 'Apply to 2 pictures' }));
      await screen.findByText('1 picture could not be changed');
      expect(screen.getByText('“3.png”: It was changed elsewhere.')).toBeTruthy();
      api.on(`POST /api/user/creations/${idOf(3)}/versions`, { version: {}, creation: {} });
      await user.click(screen.getByRole('button', { name: 'Try again' }));
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

      expect(sentTo('/versions').map(({ path }) => path)).toEqual(
        [1, 3, 3].map((n) => `/api/user/creations/${idOf(n)}/versions`),
      );
      const body = sentTo('/versions')[0]?.body as FormData;
      expect([body.get('label'), body.get('base')]).toEqual(['White background', idOf(1)]);
      expect(asked.filter(({ kind }) => kind === 'encode')).toHaveLength(3);

      api.on(`POST /api/user/creations/${idOf(3)}/versions/${idOf(3)}/restore`, {
        version: {},
        creation: {},
      });
      await user.click(screen.getAllByRole('button', { name: 'Undo' })[0]!);
      await waitFor(() => expect(sentTo('/restore')).toHaveLength(1));
    });

    it('are shown one by one with the arrow keys', async () => {
      const { user } = await openResults();
      await user.click(screen.getByRole('button', { name: 'Open 2.png' }));
      await screen.findByRole('dialog', { name: '2.png' });
      await user.keyboard('{ArrowRight}');
      await screen.findByRole('dialog', { name: '3.png' });
      await user.keyboard('{ArrowRight}');
      const dialog = await screen.findByRole('dialog', { name: '1.png' });
      await user.click(within(dialog).getByRole('checkbox', { name: 'Selected' }));
      await user.keyboard('{Escape}');
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select 1.png' }).checked).toBe(true);
    });

    it('say how much their originals take, and delete them', async () => {
      const { user } = await openResults();
      expect(screen.getByText(/3 originals, 2\.9 MB/)).toBeTruthy();
      const items = batch.items.map((item, index) => ({ ...item, ...(index < 3 && finished(index + 1)) }));
      const originals = { count: 0, bytes: 0 };
      const after = { batch: { ...batch, items, originals, revision: 2 } };
      api.on('DELETE /api/batches/:id/originals', after);
      api.on('GET /api/batches/:id', after);
      await user.click(screen.getByRole('button', { name: 'Delete originals' }));
      expect(api.requests.some(({ method }) => method === 'DELETE')).toBe(false);
      await user.click(screen.getByRole('button', { name: 'Delete permanently' }));
      await waitFor(() => expect(screen.queryByText(/3 originals/)).toBeNull());
    });
  });

  it('requests the file of a picture that can be uploaded again, with the accepted types', async () => {
    const failed = { ...batch.items[3]!, state: 'failed' as const, sendableAgain: true, jobId: ID };
    const counts = { ...batch.counts, missing: 0, queued: 0, running: 0, succeeded: 3, failed: 1 };
    const items = batch.items.map((one) => (one.n === 4 ? failed : { ...one, state: 'succeeded' as const }));
    api.on('GET /api/batches/:id', { batch: { ...batch, status: 'ended', counts, items } });
    renderPage();
    const notice = (await screen.findByText('1 picture can be sent again')).parentElement!;
    await waitFor(() => expect(notice.textContent).toContain('This takes the premium plan.'));
    expect(notice.textContent).toContain('The file of “4.png” is no longer stored. Choose or drop it here');
    expect(screen.getByText('Failed. Its file is no longer stored: choose it again.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Choose the file again: 4.png' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Try again: 4.png' })).toBeNull();
  });

  it('says that sending continues by itself when it is offline', async () => {
    api.on('GET /api/batches/:id', { batch });
    const store = new BatchStore((flush) => flush());
    const uploads = new BatchUploads({
      userId: 'ada',
      store,
      files: batchFiles,
      send: () => Promise.reject(new ApiFailure('UNREACHABLE', 'You are offline.', { status: 0 })),
      refresh: () => Promise.resolve(),
      withLock: (_name, work) => work(),
      wait: (_milliseconds, stop) => stop,
    });
    renderPage(store, uploads);
    await screen.findByRole('heading', { name: 'Harbours' });
    act(() => {
      uploads.start();
      uploads.add(ID, new Map([[4, new File(['4'], '4.png')]]));
    });
    await screen.findByText('You are offline. Sending resumes automatically.');
  });

  it('asks before it cancels the rest', async () => {
    const { user } = await openPage();
    const cancel = screen.getByRole('button', { name: 'Cancel the rest' });
    await user.click(cancel);
    const goOn = screen.getByRole('button', { name: 'Keep going' });
    expect(document.activeElement).toBe(goOn);
    await user.click(goOn);
    expect(document.activeElement).toBe(cancel);
    expect(api.requests.filter(({ method }) => method !== 'GET')).toEqual([]);

    const cancelled: Partial<BatchItem> = { state: 'cancelled' };
    const items = batch.items.map((item) => (item.n === 1 ? item : { ...item, ...cancelled }));
    const counts = { ...batch.counts, missing: 0, queued: 0, running: 0, cancelled: 3 };
    api.on('DELETE /api/batches/:id', {
      batch: { ...batch, status: 'cancelled', revision: 2, counts, items },
    });
    await user.click(cancel);
    await user.click(screen.getByRole('button', { name: 'Cancel 3 pictures' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Cancel the rest' })).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('list', { name: 'Pictures' })));
  });
});
