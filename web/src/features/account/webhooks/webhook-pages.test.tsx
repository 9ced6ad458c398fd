/** @jest-environment ./test/web/dom-environment.mjs */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import type { Webhook, WebhookDelivery } from '#libs/contract/webhooks.js';
import { renderInApp } from '../../../../../test/web/render-in-app';
import { failure, stubApi } from '../../../../../test/web/stub-api';
import WebhooksPage from './page';
import WebhookPage from './webhook-page';

const api = stubApi();
const id = '11111111-1111-4111-8111-111111111111';
const webhook: Webhook = {
  id,
  url: 'https://shop.example.com/events',
  events: ['batch.finished'],
  isOn: true,
  offReason: null,
  publicKey: 'whpk_key',
  rotatedUntil: null,
  failingSince: null,
  lastSuccessAt: null,
  createdAt: '2026-11-01T00:00:00.000Z',
};
const delivery: WebhookDelivery = {
  id: '22222222-2222-4222-8222-222222222222',
  type: 'batch.finished',
  status: 'pending',
  attempts: 1,
  nextAttemptAt: '2099-01-01T00:00:00.000Z',
  createdAt: '2026-11-02T00:00:00.000Z',
  lastAttempt: { status: 500, error: 'The receiver answered 500.' },
};

beforeEach(() => {
  api.on('GET /api/webhooks', { webhooks: [webhook] });
  api.on('GET /api/webhooks/:id/deliveries', { deliveries: [delivery], nextCursor: null });
});

const renderWebhook = () =>
  renderInApp(
    <Routes>
      <Route path="/ai/webhooks/:id" element={<WebhookPage />} />
      <Route path="/ai/webhooks" element={<p>The list</p>} />
    </Routes>,
    { path: `/ai/webhooks/${id}` },
  );

describe('the list of webhooks', () => {
  it('creates one and shows its secret once', async () => {
    api.on('GET /api/webhooks', { webhooks: [] });
    api.on('POST /api/webhooks', { webhook, secret: 'whsec_secret' });
    const { user } = renderInApp(<WebhooksPage />);
    await screen.findByText(/No webhooks yet/);
    await user.click(screen.getByRole('button', { name: 'New webhook' }));
    await user.type(screen.getByLabelText('Address'), webhook.url);
    await user.click(screen.getByLabelText('A job has failed'));
    await user.click(screen.getByRole('button', { name: 'Create the webhook' }));
    await screen.findByText('whsec_secret');
    expect(api.requests.find(({ method }) => method === 'POST')?.body).toEqual({
      url: webhook.url,
      events: ['batch.finished', 'job.failed'],
    });
  });

  it('shows the error of an address that is refused', async () => {
    api.on('POST /api/webhooks', failure('VALIDATION_FAILED', 'Give an address that is public.'));
    const { user } = renderInApp(<WebhooksPage />);
    await user.click(await screen.findByRole('button', { name: 'New webhook' }));
    await user.type(screen.getByLabelText('Address'), 'https://10.0.0.1/');
    await user.click(screen.getByRole('button', { name: 'Create the webhook' }));
    expect((await screen.findByRole('alert')).textContent).toContain('Give an address that is public.');
  });

  it.each([
    [{ isOn: false, offReason: 'failing' as const }, /no event arrived for three days/],
    [{ isOn: false, offReason: 'gone' as const }, /gone \(410\)/],
    [{ failingSince: '2026-11-20T10:00:00.000Z' }, /Failing since/],
  ])('says what is wrong: %j', async (change, text) => {
    api.on('GET /api/webhooks', { webhooks: [{ ...webhook, ...change }] });
    renderInApp(<WebhooksPage />);
    await screen.findByText(text);
  });
});

describe('the page of a webhook', () => {
  it('shows body and answer of a request, and sends it again', async () => {
    api.on(`GET /api/webhooks/:id/deliveries/${delivery.id}`, {
      delivery: {
        ...delivery,
        payload: '{"type":"batch.finished"}',
        log: [
          {
            n: 1,
            sentAt: delivery.createdAt,
            milliseconds: 12,
            status: 500,
            error: 'The receiver answered 500.',
            response: 'Oops',
          },
        ],
      },
    });
    api.on(`POST /api/webhooks/:id/deliveries/${delivery.id}/resend`, { delivery });
    const { user } = renderWebhook();
    await user.click(await screen.findByRole('button', { name: /batch.finished/ }));
    await screen.findByText('Oops');
    screen.getByText(/"type": "batch.finished"/);
    await user.click(screen.getByRole('button', { name: /^Send again the event of/ }));
    await waitFor(() => expect(api.requests.some(({ path }) => path.endsWith('/resend'))).toBe(true));
  });

  it('switches it off', async () => {
    api.on('PATCH /api/webhooks/:id', { webhook: { ...webhook, isOn: false, offReason: 'owner' } });
    const { user } = renderWebhook();
    await user.click(await screen.findByRole('switch', { name: 'Send events' }));
    await waitFor(() =>
      expect(api.requests.find(({ method }) => method === 'PATCH')?.body).toEqual({ isOn: false }),
    );
  });

  it('is left once the webhook is deleted', async () => {
    api.on('DELETE /api/webhooks/:id', { message: 'Deleted' });
    const { user } = renderWebhook();
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete' }));
    await screen.findByText('The list');
  });

  it('says that it does not exist', async () => {
    api.on('GET /api/webhooks', { webhooks: [] });
    renderWebhook();
    await screen.findByRole('heading', { name: 'Page not found' });
  });
});
