/** @jest-environment ./test/web/dom-environment.mjs */
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { Creation, SavedSearch } from '#libs/contract/creations.js';
import { useCreationPages } from '../../modules/creations/api/creation-pages';
import { renderInApp } from '../../../../test/web/render-in-app';
import { failure, stubApi } from '../../../../test/web/stub-api';
import { RecentCreations } from './recent-creations';
import { useCreationFilter } from './use-creation-filter';

const api = stubApi();

const creation = (digit: string, prompt: string): Creation => ({
  id: '11111111-1111-4111-8111-111111111111'.replaceAll('1', digit),
  prompt,
  name: null,
  favourite: false,
  tags: [],
  type: 'article',
  content: 'Text',
  thumbnail: null,
  engine: 'offline',
  model: null,
  published: false,
  page: null,
  moderation: null,
  created_at: '2026-11-21T08:00:00.000Z',
  likes: [],
  revision: 1,
  editable: true,
  jobId: null,
  settings: null,
  madeFrom: null,
});

beforeEach(() => api.on('GET /api/user/searches', { searches: [] }));

/** Stubs the API of a server that has these creations. */
function serve(creations: Creation[]) {
  let stored = creations;
  api.on('GET /api/user/get-user-creations', () => ({
    creations: stored,
    nextCursor: null,
    total: stored.length,
    counts: { article: stored.length },
    tags: [...new Set(stored.flatMap(({ tags }) => tags))].sort(),
  }));
  api.on('POST /api/user/creations/delete', ({ body }) => {
    const deleted = idsOf(body);
    stored = stored.filter(({ id }) => !deleted.includes(id));
    return { deleted };
  });
  api.on('POST /api/user/creations/restore', ({ body }) => {
    stored = creations.filter((each) => stored.includes(each) || idsOf(body).includes(each.id));
    return { restored: idsOf(body) };
  });
  api.on('POST /api/user/creations/tags', ({ body }) => {
    const { tag, add } = body as { tag: string; add: boolean };
    const has = ({ tags }: Creation) => tags.includes(tag);
    const changed = stored.filter((each) => idsOf(body).includes(each.id) && has(each) !== add);
    stored = stored.map((each) =>
      changed.includes(each)
        ? { ...each, tags: add ? [...each.tags, tag] : each.tags.filter((one) => one !== tag) }
        : each,
    );
    return { tag, changed: changed.map(({ id }) => id) };
  });
}

const idsOf = (body: unknown) => (body as { ids: string[] }).ids;

function Page() {
  const creationFilter = useCreationFilter();
  return <RecentCreations query={useCreationPages(creationFilter.filter)} creationFilter={creationFilter} />;
}

const shown = () => screen.getAllByRole('heading', { level: 3 }).map((heading) => heading.textContent);
/** The Undo button of the toast with this text, since toasts of earlier tests may still be visible. */
const undo = (text: string) => within(screen.getByText(text).parentElement!).getByRole('button');
const remove = (prompt: string) => screen.findByRole('button', { name: `Delete ${prompt}` });

describe('RecentCreations', () => {
  it('deletes a creation, and restores it by Undo', async () => {
    serve([creation('1', 'Foxes'), creation('2', 'Boats')]);
    const { user } = renderInApp(<Page />);
    await user.click(await remove('Foxes'));
    await waitFor(() => expect(shown()).toHaveLength(1));
    expect(shown()[0]).toContain('Boats');
    expect(document.activeElement).toBe(screen.getByRole('button', { name: /^Boats/ }));
    expect(await screen.findByText('Deleted “Foxes”')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(shown()).toHaveLength(2));
    expect(await screen.findByText('Restored')).toBeTruthy();
  });

  it('offers Undo for each of several deletions', async () => {
    serve([creation('1', 'Foxes'), creation('2', 'Boats')]);
    const { user } = renderInApp(<Page />);
    await user.click(await remove('Foxes'));
    await user.click(await remove('Boats'));
    expect(await screen.findByText('Deleted “Foxes”')).toBeTruthy();
    expect(await screen.findByText('Deleted “Boats”')).toBeTruthy();
    expect(await screen.findByText('No creations found')).toBeTruthy();
  });

  it('deletes and tags several creations, both with Undo', async () => {
    serve([creation('1', 'Foxes'), creation('2', 'Boats'), creation('3', 'Clouds')]);
    const { user } = renderInApp(<Page />);
    await user.click(await screen.findByRole('button', { name: 'Select several' }));
    const act = (name: string) => screen.getByRole('button', { name });
    expect(act('Delete').getAttribute('aria-disabled')).toBe('true');
    await user.click(screen.getByRole('checkbox', { name: 'Select Foxes' }));
    await user.keyboard('{Shift>}');
    await user.click(screen.getByRole('checkbox', { name: 'Select Boats' }));
    await user.keyboard('{/Shift}');
    expect(screen.getByText('2 selected')).toBeTruthy();

    await user.click(act('Tag'));
    expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'New tag' }));
    await user.keyboard('garden{Enter}');
    await screen.findByText('Tagged 2 creations with “garden”');
    await waitFor(() => expect(shown()[1]).toContain('Tags: garden'));
    await user.click(undo('Tagged 2 creations with “garden”'));
    await waitFor(() => expect(shown()[1]).not.toContain('garden'));

    await user.click(act('Delete'));
    await screen.findByText('Deleted 2 creations');
    await waitFor(() => expect(shown()).toHaveLength(1));
    await user.click(undo('Deleted 2 creations'));
    await screen.findByText('Restored 2 creations');
    await waitFor(() => expect(shown()).toHaveLength(3));
    await user.click(act('Select all'));
    expect(screen.getByText('3 selected')).toBeTruthy();
    await user.click(act('Done'));
    expect(screen.queryByRole('checkbox')).toBeNull();
  });

  it('downloads several as a ZIP', async () => {
    serve([creation('1', 'Foxes')]);
    const url = 'https://press.example/files/creations/key';
    api.on('POST /api/user/creations/zip', { url, count: 1 });
    const opened = jest.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
    const { user } = renderInApp(<Page />);
    await user.click(await screen.findByRole('button', { name: 'Select several' }));
    await user.click(screen.getByRole('button', { name: 'Select all' }));
    await user.click(screen.getByRole('button', { name: 'ZIP' }));
    await screen.findByText('Downloading 1 creation');
    expect((opened.mock.contexts[0] as HTMLAnchorElement).pathname).toBe('/files/creations/key');
    api.on('POST /api/user/creations/zip', failure('NOT_FOUND', 'Nothing is there.'));
    await user.click(screen.getByRole('button', { name: 'ZIP' }));
    expect(await screen.findByText('Nothing is there.')).toBeTruthy();
  });

  it('shows adjacent pictures as a grid, and a single picture among texts as a row', async () => {
    const image = (digit: string, prompt: string) => ({ ...creation(digit, prompt), type: 'image' });
    serve([image('1', 'Fox'), image('2', 'Boat'), creation('3', 'Clouds'), image('4', 'Lamp')]);
    const { user } = renderInApp(<Page />);
    const grid = await screen.findByRole('list', { name: 'Pictures' });
    expect(
      within(grid)
        .getAllByRole('link')
        .map((link) => link.textContent),
    ).toEqual(['Fox', 'Boat']);
    expect(screen.getAllByRole('button', { expanded: false }).map((row) => row.textContent)).toEqual([
      expect.stringContaining('Clouds'),
      expect.stringContaining('Lamp'),
    ]);
    await user.click(screen.getByRole('button', { name: 'Delete Boat' }));
    await waitFor(() => expect(screen.queryByRole('list', { name: 'Pictures' })).toBeNull());
    expect(document.activeElement).toBe(screen.getByRole('button', { name: /^Clouds/ }));
  });

  it('saves a search as a folder, renames it, and deletes it with Undo', async () => {
    serve([creation('1', 'Foxes')]);
    let folders: SavedSearch[] = [];
    api.on('GET /api/user/searches', () => ({ searches: folders }));
    api.on('POST /api/user/searches', ({ body }) => {
      const search = { ...(body as SavedSearch), id: creation('7', '').id, createdAt: '' };
      folders = [search];
      return { search };
    });
    api.on('PATCH /api/user/searches/:id', ({ body }) => {
      folders = folders.map((folder) => ({ ...folder, ...(body as { name: string }) }));
      return { search: folders[0] };
    });
    api.on('DELETE /api/user/searches/:id', () => {
      folders = [];
      return { message: 'Deleted' };
    });
    const { user, address } = renderInApp(<Page />);
    const act = async (name: string) => user.click(await screen.findByRole('button', { name }));
    await act('Favourites');
    await act('Save as a folder');
    await user.type(screen.getByRole('textbox', { name: 'Name of the folder' }), 'Best ones{Enter}');
    const folder = await screen.findByRole('button', { name: 'Best ones' });
    expect(folder.getAttribute('aria-current')).toBe('true');
    await user.click(folder);
    expect(address()).toBe('/');
    await user.click(folder);
    expect(address()).toBe('/?favourite=1');

    await act('Rename the folder');
    await user.type(screen.getByRole('textbox', { name: 'Name of the folder' }), ' of all{Enter}');
    await screen.findByRole('button', { name: 'Best ones of all' });
    await act('Delete the folder');
    await screen.findByText('Deleted the folder “Best ones of all”');
    await waitFor(() => expect(address()).toBe('/'));
    await user.click(undo('Deleted the folder “Best ones of all”'));
    await screen.findByRole('button', { name: 'Best ones of all' });
  });

  it('keeps the focus in the list while creations are selected after a tag was added', async () => {
    serve([creation('1', 'Foxes'), creation('2', 'Boats')]);
    const { user } = renderInApp(<Page />);
    await user.click(await screen.findByRole('button', { name: 'Select several' }));
    const box = screen.getByRole('checkbox', { name: 'Select Foxes' });
    await user.click(box);
    await user.click(screen.getByRole('button', { name: 'Tag' }));
    await user.keyboard('garden{Enter}');
    await screen.findByText('Tagged 1 creation with “garden”');
    await user.click(box);
    await user.click(box);
    expect(document.activeElement).toBe(box);
  });

  it('keeps a tag in the field if it could not be added', async () => {
    serve([creation('1', 'Foxes')]);
    const { user } = renderInApp(<Page />);
    await user.click(await screen.findByRole('button', { name: /^Foxes/ }));
    api.on('POST /api/user/creations/tags', failure('INTERNAL', 'Not tagged.'));
    const field = screen.getByRole<HTMLInputElement>('combobox', { name: 'New tag' });
    await user.type(field, 'garden{Enter}');
    await screen.findByText('Not tagged.');
    expect(field.value).toBe('garden');
  });

  it('selects a picture by a click anywhere on its tile', async () => {
    const image = (digit: string, prompt: string) => ({ ...creation(digit, prompt), type: 'image' });
    serve([image('1', 'Fox'), image('2', 'Boat')]);
    const { user, address } = renderInApp(<Page />);
    await user.click(await screen.findByRole('button', { name: 'Select several' }));
    const box = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select Boat' });
    const tile = box.closest('li')!.getElementsByTagName('label')[0]!;
    expect(tile.className).toContain('inset-0');
    await user.click(tile);
    expect(box.checked).toBe(true);
    expect(address()).toBe('/');
  });

  it('reverts a failed change, even if the list cannot be fetched', async () => {
    serve([creation('1', 'Foxes'), creation('2', 'Boats')]);
    const { user } = renderInApp(<Page />);
    await remove('Foxes');
    for (const route of [
      'GET /api/user/get-user-creations',
      'POST /api/user/creations/delete',
      'PATCH /api/user/creations/:id',
    ])
      api.on(route, failure('UNAVAILABLE', `No ${route}.`));
    await user.click(screen.getByRole('button', { name: 'Favourite Boats' }));
    await screen.findByText('No PATCH /api/user/creations/:id.');
    screen.getByRole('button', { name: 'Favourite Boats', pressed: false });
    await user.click(screen.getByRole('button', { name: 'Delete Boats' }));
    await screen.findByText('No POST /api/user/creations/delete.');
    expect(shown()).toHaveLength(2);
  });

  it('offers Undo even if the list cannot be fetched again', async () => {
    serve([creation('1', 'Herons'), creation('2', 'Boats')]);
    const { user } = renderInApp(<Page />, { retry: true });
    const button = await remove('Herons');
    api.on('GET /api/user/get-user-creations', failure('UNAVAILABLE', 'Not now.'));
    await user.click(button);
    await screen.findByText('Deleted “Herons”');
  });

  it('does not move the focus after a name was saved', async () => {
    serve([creation('1', 'Foxes')]);
    const answer = Promise.withResolvers<Response>();
    api.on('PATCH /api/user/creations/:id', () => answer.promise);
    const { user } = renderInApp(<Page />);
    await user.click(await screen.findByRole('button', { name: /^Foxes/ }));
    await user.click(screen.getByRole('button', { name: 'Rename' }));
    await user.keyboard('Red ones{Enter}');
    const field = screen.getByRole('combobox', { name: 'New tag' });
    await user.click(field);
    answer.resolve(Response.json({ creation: creation('1', 'Foxes') }));
    await screen.findByRole('button', { name: 'Rename' });
    await new Promise((resolve) => setTimeout(resolve));
    expect(document.activeElement).toBe(field);
  });

  it('sends the second click on a favourite after the first is answered', async () => {
    serve([creation('1', 'Foxes')]);
    const answers: PromiseWithResolvers<Response>[] = [];
    api.on('PATCH /api/user/creations/:id', () => {
      const answer = Promise.withResolvers<Response>();
      answers.push(answer);
      return answer.promise;
    });
    const { user } = renderInApp(<Page />);
    await user.click(await screen.findByRole('button', { name: 'Favourite Foxes', pressed: false }));
    await user.click(await screen.findByRole('button', { name: 'Favourite Foxes', pressed: true }));
    await screen.findByRole('button', { name: 'Favourite Foxes', pressed: false });
    expect(answers).toHaveLength(1);
    answers[0]!.resolve(Response.json({ creation: creation('1', 'Foxes') }));
    await waitFor(() => expect(answers).toHaveLength(2));
    answers[1]!.resolve(Response.json({ creation: creation('1', 'Foxes') }));
    expect(api.requests.filter(({ method }) => method === 'PATCH').map(({ body }) => body)).toEqual([
      { favourite: true },
      { favourite: false },
    ]);
  });

  it('renames the chosen folder even if the filter has changed since', async () => {
    serve([creation('1', 'Foxes')]);
    const filter = { search: '', type: '', tag: '', favourite: true };
    const folder: SavedSearch = { id: creation('7', '').id, name: 'Best', filter, createdAt: '' };
    api.on('GET /api/user/searches', { searches: [folder] });
    api.on('PATCH /api/user/searches/:id', { search: folder });
    const { user } = renderInApp(<Page />, { path: '/?favourite=1' });
    await user.click(await screen.findByRole('button', { name: 'Rename the folder' }));
    await user.click(screen.getByRole('button', { name: 'Favourites' }));
    await user.type(screen.getByRole('textbox', { name: 'Name of the folder' }), 'Best ones{Enter}');
    await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Name of the folder' })).toBeNull());
    expect(api.requests.find(({ method }) => method === 'PATCH')?.body).toEqual({ name: 'Best ones' });
  });

  it('shows a creation again if it could not be deleted', async () => {
    serve([creation('1', 'Foxes')]);
    api.on('POST /api/user/creations/delete', failure('INTERNAL', 'Nothing was deleted.'));
    const { user } = renderInApp(<Page />);
    await user.click(await remove('Foxes'));
    expect(await screen.findByText('Nothing was deleted.')).toBeTruthy();
    await waitFor(() => expect(shown()[0]).toContain('Foxes'));
  });

  it('marks a favourite, renames and tags, and reverts a refused name', async () => {
    let stored = creation('1', 'Foxes');
    api.on('GET /api/user/get-user-creations', () => ({
      ...{ creations: [stored], nextCursor: null, total: 1, counts: { article: 1 } },
      tags: ['garden'],
    }));
    api.on('PATCH /api/user/creations/:id', ({ body }) => {
      stored = { ...stored, ...(body as Partial<Creation>) };
      return { creation: stored };
    });
    api.on('POST /api/user/creations/tags', ({ body }) => {
      const { tag, add } = body as { tag: string; add: boolean };
      stored = { ...stored, tags: add ? [...stored.tags, tag] : stored.tags.filter((one) => one !== tag) };
      return { tag, changed: [stored.id] };
    });
    const { user } = renderInApp(<Page />);
    await user.click(await screen.findByRole('button', { name: 'Favourite Foxes', pressed: false }));
    await screen.findByRole('button', { name: 'Favourite Foxes', pressed: true });

    await user.click(screen.getByRole('button', { name: /^Foxes/ }));
    await user.click(screen.getByRole('button', { name: 'Rename' }));
    const name = screen.getByRole('textbox', { name: 'Name' });
    await user.clear(name);
    await user.type(name, 'Red ones{Enter}');
    await waitFor(() => expect(shown()[0]).toContain('Red ones'));
    expect(await screen.findByText('Prompt: Foxes')).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Rename' })));

    await user.type(screen.getByRole('combobox', { name: 'New tag' }), 'garden{Enter}');
    await screen.findByRole('button', { name: 'Remove the tag garden' });
    expect(shown()[0]).toContain('Tags: garden');
    await user.click(screen.getByRole('button', { name: 'Remove the tag garden' }));
    await waitFor(() => expect(shown()[0]).not.toContain('garden'));

    api.on('PATCH /api/user/creations/:id', failure('VALIDATION_FAILED', 'No such name.'));
    await user.click(screen.getByRole('button', { name: 'Rename' }));
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Other{Enter}');
    expect(await screen.findByText('No such name.')).toBeTruthy();
    await waitFor(() => expect(shown()[0]).toContain('Red ones'));
  });

  it('shows why a search failed next to the previous results, and searches again', async () => {
    serve([creation('1', 'Foxes')]);
    const { user } = renderInApp(<Page />, { retry: true });
    const box = await screen.findByRole('textbox', { name: 'Search your creations' });
    api.on('GET /api/user/get-user-creations', failure('UNAVAILABLE', 'This search took too long.'));
    // One event, since typing key by key would start several searches.
    fireEvent.change(box, { target: { value: 'one two three four five six seven eight nine' } });
    expect(await screen.findByText('This search took too long.')).toBeTruthy();
    expect(screen.getByText(/by the first 8 words$/)).toBeTruthy();
    expect(shown()[0]).toContain('Foxes');
    serve([creation('2', 'Boats')]);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(shown()[0]).toContain('Boats'));
    expect(screen.queryByText('This search took too long.')).toBeNull();
  });

  it('shows no error for a rate-limited search', async () => {
    serve([creation('1', 'Foxes')]);
    const { user } = renderInApp(<Page />, { retry: true });
    const box = await screen.findByRole('textbox', { name: 'Search your creations' });
    let refused = 0;
    api.on('GET /api/user/get-user-creations', () => {
      refused += 1;
      return failure('RATE_LIMITED', 'Your earlier searches are still running.');
    });
    await user.type(box, 'fox');
    await waitFor(() => expect(refused).toBeGreaterThan(0));
    expect(screen.queryByRole('alert')).toBeNull();
  });
});
