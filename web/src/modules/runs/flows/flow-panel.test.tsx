/** @jest-environment ./test/web/dom-environment.mjs */
import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { renderInApp } from '../../../../../test/web/render-in-app';
import { config, stubApi } from '../../../../../test/web/stub-api';
import { FlowPanel } from './flow-panel';

const api = stubApi();

it('names no price and starts nothing until the prices are known', async () => {
  const prices = Promise.withResolvers<Response>();
  api.on('GET /api/config', () => prices.promise);
  api.on('GET /api/flows', { flows: [], nextCursor: null });
  renderInApp(<FlowPanel id="flow" flow="article" disabled={false} readInput={async () => null} />);
  const start = await screen.findByRole<HTMLButtonElement>('button', { name: /^Start \d steps$/ });
  await screen.findAllByText('Premium');
  expect([start.disabled, screen.queryByText(/Included in your plan|Costs/)]).toEqual([true, null]);
  prices.resolve(Response.json({ success: true, ...config }));
  await screen.findByText(/^Costs \d+ credits, you have 26\./);
  expect(start.disabled).toBe(false);
});
