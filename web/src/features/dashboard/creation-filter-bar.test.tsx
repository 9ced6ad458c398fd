/** @jest-environment ./test/web/dom-environment.mjs */
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { useState } from 'react';
import { act, fireEvent, screen } from '@testing-library/react';
import { renderInApp } from '../../../../test/web/render-in-app';
import { CreationFilterBar } from './creation-filter-bar';

const filter = { search: '', type: '', tag: '', favourite: false, sort: 'newest' as const };
const counts = { article: 3, image: 1, 'old-type': 2 };

function setUp(changes: Partial<typeof filter> = {}) {
  const onChange = jest.fn();
  const view = renderInApp(
    <CreationFilterBar
      filter={{ ...filter, ...changes }}
      counts={counts}
      tags={['garden', 'work']}
      onChange={onChange}
    />,
  );
  return { ...view, onChange, search: screen.getByRole<HTMLInputElement>('textbox') };
}

describe('CreationFilterBar', () => {
  afterEach(() => void jest.useRealTimers());

  it('searches once the user stops typing', () => {
    jest.useFakeTimers();
    const { search, onChange } = setUp();
    const wait = (milliseconds: number) => act(() => jest.advanceTimersByTime(milliseconds));
    fireEvent.change(search, { target: { value: ' f' } });
    wait(200);
    fireEvent.change(search, { target: { value: ' fox ' } });
    wait(200);
    expect(onChange).not.toHaveBeenCalled();
    expect(search.value).toBe(' fox ');
    wait(50);
    expect(onChange.mock.calls).toEqual([[{ search: 'fox' }]]);
  });

  it('does not change the typed text when an earlier search returns', () => {
    jest.useFakeTimers();
    const Bar = () => {
      const [search, setSearch] = useState('');
      const set = (change: { search?: string }) => setSearch(change.search ?? '');
      return <CreationFilterBar filter={{ ...filter, search }} counts={counts} tags={[]} onChange={set} />;
    };
    renderInApp(<Bar />);
    const box = screen.getByRole<HTMLInputElement>('textbox');
    fireEvent.change(box, { target: { value: 'red ' } });
    act(() => jest.advanceTimersByTime(1_000));
    expect(box.value).toBe('red ');
    fireEvent.change(box, { target: { value: 'red fox ' } });
    fireEvent.blur(box);
    expect(box.value).toBe('red fox');
  });

  it('clears the search at once', async () => {
    const { user, search, onChange } = setUp({ search: 'fox' });
    await user.click(screen.getByRole('button', { name: 'Clear the search' }));
    expect(onChange.mock.calls).toEqual([[{ search: '' }]]);
    expect(document.activeElement).toBe(search);
  });

  it('names and counts the types, also one whose tool no longer exists', async () => {
    const { user, onChange } = setUp();
    const options = screen.getAllByRole('option').map(({ textContent }) => textContent);
    expect(options.slice(0, 4)).toEqual(['All types (6)', 'Article (3)', 'Image (1)', 'old type (2)']);
    await user.selectOptions(screen.getByRole('combobox', { name: 'Type' }), 'image');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Order' }), 'oldest');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Tag' }), 'work');
    await user.click(screen.getByRole('button', { name: 'Favourites', pressed: false }));
    expect(onChange.mock.calls).toEqual([
      [{ type: 'image' }],
      [{ sort: 'oldest' }],
      [{ tag: 'work' }],
      [{ favourite: true }],
    ]);
  });
});
