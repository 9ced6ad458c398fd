/** @jest-environment ./test/web/dom-environment.mjs */
import { useState } from 'react';
import { describe, expect, it, jest } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Dialog } from './dialog';

function Page() {
  const [open, setOpen] = useState(false);
  return (
    <main tabIndex={-1}>
      <button onClick={() => setOpen(true)}>Open</button>
      {open && (
        <Dialog label="Your account" onClose={() => setOpen(false)}>
          <button>Save</button>
        </Dialog>
      )}
    </main>
  );
}

describe('Dialog', () => {
  it('keeps the focus inside', async () => {
    const user = userEvent.setup();
    render(<Page />);
    await user.click(screen.getByRole('button', { name: 'Open' }));
    const dialog = screen.getByRole('dialog', { name: 'Your account' });
    const [save, close] = [screen.getByText('Save'), screen.getByRole('button', { name: 'Close' })];
    expect(document.activeElement).toBe(save);
    await user.tab();
    expect(document.activeElement).toBe(close);
    await user.tab();
    expect(dialog.contains(document.activeElement)).toBe(true);
  });

  it.each([
    ['Escape', (user: ReturnType<typeof userEvent.setup>) => user.keyboard('{Escape}')],
    [
      'its button',
      (user: ReturnType<typeof userEvent.setup>) => user.click(screen.getByRole('button', { name: 'Close' })),
    ],
  ])('closes by %s and returns the focus', async (_by, close) => {
    const user = userEvent.setup();
    render(<Page />);
    const opener = screen.getByRole('button', { name: 'Open' });
    await user.click(opener);
    await close(user);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.activeElement).toBe(opener);
  });

  it('stays open on Escape and a click outside while it is guarded', async () => {
    const user = userEvent.setup({ pointerEventsCheck: 0 });
    const onClose = jest.fn();
    render(
      <Dialog label="Your picture" guarded onClose={onClose}>
        <button>Save</button>
      </Dialog>,
    );
    await user.keyboard('{Escape}');
    await user.click(document.body);
    expect(onClose).not.toHaveBeenCalled();
    await user.click(screen.getByRole('button', { name: 'Close' }));
    expect(onClose).toHaveBeenCalledTimes(1);
  });

  it('focuses the page if its opener was removed', async () => {
    const user = userEvent.setup();
    render(<Page />);
    const opener = screen.getByRole('button', { name: 'Open' });
    await user.click(opener);
    opener.hidden = true;
    opener.remove();
    await user.keyboard('{Escape}');
    expect(document.activeElement).toBe(document.querySelector('main'));
  });
});
