/** @jest-environment ./test/web/dom-environment.mjs */
import { expect, it } from '@jest/globals';
import { fireEvent, render, screen } from '@testing-library/react';
import { BrowserRouter, useSearchParams } from 'react-router-dom';
import { TimeFilter, timeOf } from './time-filter';

function Page() {
  const [parameters] = useSearchParams();
  return <TimeFilter name="from" label="From" value={timeOf(parameters.get('from'))} />;
}

/** @returns the field */
function open(): HTMLInputElement {
  window.history.replaceState(null, '', '/admin/jobs?from=2026-11-01T08:30:00.000Z');
  render(
    <BrowserRouter>
      <Page />
    </BrowserRouter>,
  );
  return screen.getByLabelText('From');
}

it('changes the address with each whole time, and keeps what is typed', () => {
  const field = open();
  const from = () => new URLSearchParams(window.location.search).get('from');
  expect(new Date(field.value).toISOString()).toBe('2026-11-01T08:30:00.000Z');

  // A year is typed digit by digit.
  for (const year of ['0002', '0020', '0202']) {
    fireEvent.change(field, { target: { value: `${year}-11-27T22:00` } });
    expect([field.value, from()]).toEqual([`${year}-11-27T22:00`, '2026-11-01T08:30:00.000Z']);
  }
  fireEvent.change(field, { target: { value: '2027-11-27T22:00' } });
  expect(from()).toBe(new Date('2027-11-27T22:00').toISOString());
  fireEvent.blur(field);
  expect(field.value).toBe('2027-11-27T22:00');

  fireEvent.change(field, { target: { value: '' } });
  expect([field.value, from()]).toEqual(['', null]);
});

it('shows the time of the address again once the field is left', () => {
  const field = open();
  const before = field.value;
  fireEvent.change(field, { target: { value: '0002-11-27T22:00' } });
  fireEvent.blur(field);
  expect(field.value).toBe(before);
});

it.each([
  ['2026-11-01T08:30:00.000Z', '2026-11-01T08:30:00.000Z'],
  ['no time', undefined],
  [null, undefined],
])('reads the parameter %j as %j', (text, time) => expect(timeOf(text)).toBe(time));
