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

describe('a text that was newResult again', () => {
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

  it('is shown beside the one before; one of them is kept, and the other can be had back', async () => {
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

  it('lets both stay, and waits with the choice until the new one is done', async () => {
    const { user } = show(undefined);
    const keepOld = await screen.findByRole('button', { name: 'Keep only the earlier result' });
    expect((keepOld as HTMLButtonElement).disabled).toBe(true);
    await user.click(screen.getByRole('button', { name: 'Keep both' }));
    expect(chosen).toEqual([null]);
  });

  it('leaves the one before where the new one failed or was cancelled', async () => {
    const { user } = renderInApp(<Page newResult={undefined} stopped />);
    await screen.findByText('The old.');
    expect(screen.queryByRole('button', { name: /^Keep/ })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Show only the new result' }));
    expect(chosen).toEqual([EARLIER]);
    expect(api.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('says where both are the same', async () => {
    show(creation(NEW, 'The old.\n'));
    await screen.findByText('Both results are identical.');
  });

  it('is shown alone once the one before is deleted elsewhere', async () => {
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

  it('opens the page of the one that is kept where its job is gone', async () => {
    const old = { ...creation(EARLIER, 'The old.'), jobId: null };
    api.on('GET /api/user/creations/:id', { creation: old, sources: [] });
    const { user, address } = show(creation(NEW, 'The new.'));
    await user.click(await screen.findByRole('button', { name: 'Keep only the earlier result' }));
    await waitFor(() => expect(address()).toBe(`/ai/creations/${EARLIER}`));
    expect(chosen).toEqual([]);
  });
});
