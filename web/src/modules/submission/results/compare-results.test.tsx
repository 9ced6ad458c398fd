/** @jest-environment ./test/web/dom-environment.mjs */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { screen, waitFor, within } from '@testing-library/react';
import type { Creation } from '#libs/contract/creations.js';
import { buildCreation } from '../../../../../test/web/build-creation';
import { renderInApp } from '../../../../../test/web/render-in-app';
import { failure, stubApi } from '../../../../../test/web/stub-api';
import { CompareResults } from './compare-results';

const api = stubApi();
const EARLIER = '11111111-1111-4111-8111-111111111111';
const NEW = '22222222-2222-4222-8222-222222222222';
const creation = (id: string, content: string) => buildCreation({ id, content, jobId: id });

describe('a regenerated text', () => {
  let chosen: (string | null)[];
  beforeEach(() => {
    chosen = [];
    api.on('GET /api/user/creations/:id', () => ({ creation: creation(EARLIER, 'The old.'), sources: [] }));
    api.on('POST /api/user/creations/delete', { deleted: [EARLIER] });
    api.on('POST /api/user/creations/restore', { restored: [EARLIER] });
  });
  function Page({ newResult, stopped = false }: { newResult: Creation | undefined; stopped?: boolean }) {
    const [isOpen, setOpen] = useState(true);
    const onChosen = (kept: Creation | null) => {
      chosen.push(kept?.id ?? null);
      setOpen(false);
    };
    return (
      isOpen && (
        <CompareResults earlierId={EARLIER} newResult={newResult} stopped={stopped} onChosen={onChosen}>
          <p>The new.</p>
        </CompareResults>
      )
    );
  }
  const show = (newResult: Creation | undefined) => renderInApp(<Page newResult={newResult} />);

  it('is shown next to the previous one; one of them is kept, and the other can be restored', async () => {
    const { user } = show(creation(NEW, 'The new.'));
    const before = await screen.findByRole('region', { name: 'Earlier result' });
    await within(before).findByText('The old.');
    within(screen.getByRole('region', { name: 'New result' })).getByText('The new.');
    await user.click(screen.getByRole('button', { name: 'Keep only the new result' }));
    await waitFor(() => expect(chosen).toEqual([NEW]));
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    const changes = () =>
      api.requests.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);
    await waitFor(() =>
      expect(changes()).toEqual(['POST /api/user/creations/delete', 'POST /api/user/creations/restore']),
    );
    await screen.findByText('Both results are kept');
  });

  it('can be kept with the previous one, and offers the choice after it is complete', async () => {
    const { user } = show(undefined);
    const keepOld = await screen.findByRole('button', { name: 'Keep only the earlier result' });
    expect((keepOld as HTMLButtonElement).disabled).toBe(true);
    await user.click(screen.getByRole('button', { name: 'Keep both' }));
    expect(chosen).toEqual([null]);
  });

  it('keeps the previous one if the new one failed or was cancelled', async () => {
    const { user } = renderInApp(<Page newResult={undefined} stopped />);
    await screen.findByText('The old.');
    expect(screen.queryByRole('button', { name: /^Keep/ })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Show only the new result' }));
    expect(chosen).toEqual([EARLIER]);
    expect(api.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('reports that both are equal', async () => {
    show(creation(NEW, 'The old.\n'));
    await screen.findByText('Both results are identical.');
  });

  it('is shown alone after the previous one was deleted elsewhere', async () => {
    const Elsewhere = () => {
      const queries = useQueryClient();
      return <button onClick={() => void queries.invalidateQueries()}>Elsewhere</button>;
    };
    const { user } = renderInApp(
      <>
        <Page newResult={creation(NEW, 'The new.')} />
        <Elsewhere />
      </>,
    );
    await screen.findByText('The old.');
    api.on('GET /api/user/creations/:id', failure('NOT_FOUND', 'This creation does not exist.'));
    await user.click(screen.getByRole('button', { name: 'Elsewhere' }));
    await waitFor(() => expect(screen.queryByText('The old.')).toBeNull());
    screen.getByText('The new.');
  });

  it('opens the page of the kept text if its job was deleted', async () => {
    const old = { ...creation(EARLIER, 'The old.'), jobId: null };
    api.on('GET /api/user/creations/:id', { creation: old, sources: [] });
    const { user, address } = show(creation(NEW, 'The new.'));
    await user.click(await screen.findByRole('button', { name: 'Keep only the earlier result' }));
    await waitFor(() => expect(address()).toBe(`/ai/creations/${EARLIER}`));
    expect(chosen).toEqual([]);
  });
});
