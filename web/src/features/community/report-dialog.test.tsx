/** @jest-environment ./test/web/dom-environment.mjs */
import { expect, it, jest } from '@jest/globals';
import { screen } from '@testing-library/react';
import { renderInApp } from '../../../../test/web/render-in-app';
import { failure, stubApi } from '../../../../test/web/stub-api';
import { ReportDialog } from './report-dialog';

const api = stubApi();
const ID = '11111111-1111-4111-8111-111111111111';
const ROUTE = `POST /api/community/creations/${ID}/report`;

it('sends a reason by keyboard, and needs words where the reason says nothing', async () => {
  api.on(ROUTE, { success: true, message: 'Thank you.' });
  const onClose = jest.fn();
  const { user } = renderInApp(<ReportDialog id={ID} onClose={onClose} />);
  await user.click(screen.getByRole('radio', { name: 'Something else' }));
  const send = screen.getByRole('button', { name: 'Report' });
  expect(send).toHaveProperty('disabled', true);
  await user.type(screen.getByLabelText(/What is wrong$/), 'It is upside down{Enter}');
  expect(await screen.findByText('Thank you.')).toBeTruthy();
  expect(onClose).toHaveBeenCalled();
  expect(api.requests.find(({ method }) => method === 'POST')?.body).toEqual({
    reason: 'other',
    words: 'It is upside down',
  });
});

it('stays open and says why a report is refused', async () => {
  api.on(ROUTE, failure('FORBIDDEN', 'This is your own picture.'));
  const onClose = jest.fn();
  const { user } = renderInApp(<ReportDialog id={ID} onClose={onClose} />);
  const send = screen.getByRole('button', { name: 'Report' });
  expect(send).toHaveProperty('disabled', true);
  await user.click(screen.getByRole('radio', { name: 'Spam or advertising' }));
  await user.click(send);
  expect(await screen.findByText('This is your own picture.')).toBeTruthy();
  expect(onClose).not.toHaveBeenCalled();
});
