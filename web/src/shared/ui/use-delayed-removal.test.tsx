/** @jest-environment ./test/web/dom-environment.mjs */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, fireEvent, render, screen } from '@testing-library/react';
import toast from 'react-hot-toast';
import { Toasts } from './toasts';
import { UNDO_MS } from './undo-toast';
import { useDelayedRemoval } from './use-delayed-removal';

type RemoveForGood = (id: string) => Promise<unknown>;

function List({ ids, removeForGood }: { ids: readonly string[]; removeForGood: RemoveForGood }) {
  const { removed, remove, removeAll } = useDelayedRemoval(removeForGood);
  return (
    <ul>
      {ids
        .filter((id) => !removed.has(id))
        .map((id) => (
          <li key={id} aria-label={id}>
            <button onClick={() => remove(id, `Removed ${id}`)}>Remove {id}</button>
          </li>
        ))}
      <li>
        <button onClick={removeAll}>Add</button>
      </li>
    </ul>
  );
}

function setUp() {
  const removeForGood = jest.fn<RemoveForGood>().mockResolvedValue(undefined);
  const app = (ids: readonly string[], isOpen = true) => (
    <>
      {isOpen && <List ids={ids} removeForGood={removeForGood} />}
      <Toasts />
    </>
  );
  const view = render(app(['one', 'two']));
  return {
    removeForGood,
    list: (ids: readonly string[]) => view.rerender(app(ids)),
    leave: () => act(async () => view.rerender(app([], false))),
  };
}

const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })));
const pass = (milliseconds: number) => act(() => jest.advanceTimersByTimeAsync(milliseconds));
const listed = () => screen.queryAllByRole('listitem', { name: /one|two/ }).map((item) => item.ariaLabel);

describe('useDelayedRemoval', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => {
    act(() => toast.remove());
    jest.useRealTimers();
  });

  it('hides at once and removes for good when the time for undo is up', async () => {
    const { removeForGood, list } = setUp();
    await press('Remove one');
    expect(listed()).toEqual(['two']);
    await pass(UNDO_MS - 1);
    expect(removeForGood).not.toHaveBeenCalled();
    removeForGood.mockImplementation(async () => list(['two']));
    await pass(1);
    expect(removeForGood.mock.calls).toEqual([['one']]);
    expect(listed()).toEqual(['two']);
  });

  it('shows it again after Undo and sends nothing', async () => {
    const { removeForGood, leave } = setUp();
    await press('Remove one');
    await press('Undo');
    expect(listed()).toEqual(['one', 'two']);
    await pass(2 * UNDO_MS);
    await leave();
    expect(removeForGood).not.toHaveBeenCalled();
  });

  it('counts the time from the start if it is removed again after Undo', async () => {
    const { removeForGood } = setUp();
    await press('Remove one');
    await pass(UNDO_MS / 2);
    await press('Undo');
    await press('Remove one');
    await pass(UNDO_MS - 1);
    expect(removeForGood).not.toHaveBeenCalled();
    await pass(1);
    expect(removeForGood.mock.calls).toEqual([['one']]);
  });

  it('removes all at once when the user leaves, and only once', async () => {
    const { removeForGood, leave } = setUp();
    await press('Remove one');
    await press('Remove two');
    await leave();
    expect(removeForGood.mock.calls).toEqual([['one'], ['two']]);
    await pass(2 * UNDO_MS);
    expect(removeForGood).toHaveBeenCalledTimes(2);
  });

  it('removes at once when the browser closes the page', async () => {
    const { removeForGood, leave } = setUp();
    await press('Remove one');
    await act(async () => void fireEvent(window, new Event('pagehide')));
    expect(removeForGood.mock.calls).toEqual([['one']]);
    await leave();
    await act(async () => void fireEvent(window, new Event('pagehide')));
    expect(removeForGood).toHaveBeenCalledTimes(1);
  });

  it('shows it again, and why, if the removal fails', async () => {
    const { removeForGood } = setUp();
    removeForGood.mockRejectedValue(new Error('The server is full.'));
    await press('Remove one');
    await pass(UNDO_MS);
    expect(listed()).toEqual(['one', 'two']);
    expect(screen.getByText('The server is full.')).toBeTruthy();
  });

  it('shows what is added again with the same ID', async () => {
    const { removeForGood, list } = setUp();
    await press('Remove one');
    removeForGood.mockImplementation(async () => list(['two']));
    await press('Add');
    expect(removeForGood.mock.calls).toEqual([['one']]);
    expect(listed()).toEqual(['two']);
    list(['two', 'one']);
    expect(listed()).toEqual(['two', 'one']);
    await pass(2 * UNDO_MS);
    expect(listed()).toEqual(['two', 'one']);
    expect(removeForGood).toHaveBeenCalledTimes(1);
  });
});
