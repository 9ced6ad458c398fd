/** @jest-environment ./test/web/dom-environment.mjs */
import { expect, it } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { Meter } from './meter';

it.each([
  [30, 60, '30', '60'],
  [90, 60, '60', '60'],
  [0, 0, '1', '1'],
])('shows %i of %i as %s of %s', (value, max, now, limit) => {
  render(<Meter label="Budget" value={value} max={max} detail="" isWarning={false} />);
  const meter = screen.getByRole('meter');
  expect([meter.getAttribute('aria-valuenow'), meter.getAttribute('aria-valuemax')]).toEqual([now, limit]);
});
