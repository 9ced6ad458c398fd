/** @jest-environment ./test/web/dom-environment.mjs */
import { useState } from 'react';
import { expect, it } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useFocusKeeper } from './use-focus-keeper';

function List() {
  const list = useFocusKeeper<HTMLUListElement>();
  const [rows, setRows] = useState(['one', 'two']);
  const [done, setDone] = useState('');
  return (
    <ul ref={list} tabIndex={-1}>
      {rows.map((row) => (
        <li key={row} tabIndex={-1} aria-label={row}>
          {done !== row && <button onClick={() => setDone(row)}>Do {row}</button>}
          <button onClick={() => setRows(rows.filter((other) => other !== row))}>Delete {row}</button>
        </li>
      ))}
    </ul>
  );
}

it('moves the focus of a button that disappears to its row, or to the list', async () => {
  const user = userEvent.setup();
  render(<List />);
  await user.click(screen.getByRole('button', { name: 'Do one' }));
  expect(document.activeElement).toBe(screen.getByRole('listitem', { name: 'one' }));
  await user.click(screen.getByRole('button', { name: 'Delete one' }));
  expect(document.activeElement).toBe(screen.getByRole('list'));
  await user.click(document.body);
  await user.click(screen.getByRole('button', { name: 'Delete two' }));
  expect(document.activeElement).toBe(screen.getByRole('list'));
});
