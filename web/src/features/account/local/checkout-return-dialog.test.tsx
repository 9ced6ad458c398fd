/** @jest-environment ./test/web/dom-environment.mjs */
import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { renderInApp } from '../../../../../test/web/render-in-app';
import { stubApi } from '../../../../../test/web/stub-api';
import CheckoutReturnDialog from './checkout-return-dialog';

const api = stubApi();

it('waits for the plan after a payment', async () => {
  renderInApp(<CheckoutReturnDialog />, { path: '/ai?checkout=done' });
  expect(await screen.findByText('Stripe is confirming your payment')).toBeTruthy();
  api.setAccount({ plan: 'premium' });
  expect(await screen.findByRole('heading', { name: 'Welcome to Premium' })).toBeTruthy();
});
