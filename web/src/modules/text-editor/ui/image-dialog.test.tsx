/** @jest-environment ./test/web/dom-environment.mjs */
import { describe, expect, it } from '@jest/globals';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { renderInApp } from '../../../../../test/web/render-in-app';
import { failure, stubApi } from '../../../../../test/web/stub-api';
import { ImageDialog } from './image-dialog';

const api = stubApi();
const LIST = 'GET /api/user/get-user-creations';
const nothing = { creations: [], nextCursor: null, total: 0, counts: {}, tags: [] };
const noop = () => undefined;

describe('ImageDialog', () => {
  it('searches once its user stops typing', async () => {
    api.on(LIST, nothing);
    renderInApp(<ImageDialog onInsert={noop} onClose={noop} />);
    const search = await screen.findByLabelText('Search your images');
    // fireEvent, not user.type: on a slow machine, the time between simulated keys can exceed the debounce delay.
    for (const value of ['a', 'a red', 'a red fox']) fireEvent.change(search, { target: { value } });
    await screen.findByText('No images found.');
    const searches = api.requests.map(({ path }) => new URLSearchParams(path.split('?')[1]).get('search'));
    expect(searches).toEqual([null, 'a red fox']);
  });

  it('says that a search failed while it retries, and searches at once on request', async () => {
    api.on(LIST, failure('UNAVAILABLE', 'The store is away.'));
    const { user } = renderInApp(<ImageDialog onInsert={noop} onClose={noop} />, { retry: true });
    await screen.findByText('The store is away.');
    api.on(LIST, nothing);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByText(/^No images yet/);
    await waitFor(() => expect(screen.queryByText('The store is away.')).toBeNull());
  });
});
