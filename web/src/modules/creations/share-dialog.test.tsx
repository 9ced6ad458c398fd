/** @jest-environment ./test/web/dom-environment.mjs */
import { expect, it, jest } from '@jest/globals';
import { screen } from '@testing-library/react';
import { renderInApp } from '../../../../test/web/render-in-app';
import { failure, stubApi } from '../../../../test/web/stub-api';
import { ShareDialog } from './share-dialog';

const api = stubApi();
const ID = '11111111-1111-4111-8111-111111111111';
const LINK = `/api/user/creations/${ID}/share`;
const share = (live: boolean) => ({
  success: true,
  share: { url: 'http://localhost/t/abc', live, createdAt: '2026-11-21T08:00:00.000Z' },
});

const open = () => renderInApp(<ShareDialog creationId={ID} onClose={jest.fn()} />);

it('creates a link, changes its options, and withdraws it', async () => {
  api.on(`GET ${LINK}`, { success: true, share: null });
  api.on(`PUT ${LINK}`, ({ body }) => share((body as { live: boolean }).live));
  api.on(`DELETE ${LINK}`, { success: true, message: 'Withdrawn' });
  const { user } = open();
  await user.click(await screen.findByRole('switch', { name: 'Show later edits' }));
  await user.click(screen.getByRole('button', { name: 'Create link' }));
  expect(await screen.findByLabelText('Link')).toHaveProperty('value', 'http://localhost/t/abc');
  expect(screen.getByRole('switch')).toHaveProperty('checked', false);
  await user.click(screen.getByRole('switch'));
  expect(await screen.findByText('The link always shows the newest text.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Unpublish' }));
  expect(await screen.findByRole('button', { name: 'Create link' })).toBeTruthy();
  expect(api.requests.filter(({ method }) => method === 'PUT').map(({ body }) => body)).toEqual([
    { live: false },
    { live: true },
  ]);
});

it('says so when the link cannot be loaded', async () => {
  api.on(`GET ${LINK}`, failure('NOT_FOUND', 'This creation does not exist.'));
  open();
  expect(await screen.findByText('This creation does not exist.')).toBeTruthy();
});
