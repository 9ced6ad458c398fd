/** @jest-environment ./test/web/dom-environment.mjs */
import { expect, it } from '@jest/globals';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import type { AdminUserDetails } from '#libs/contract/admin.js';
import { buildAdminUser } from '../../../../../test/web/build-admin-user';
import { renderInApp } from '../../../../../test/web/render-in-app';
import { stubApi } from '../../../../../test/web/stub-api';
import AdminUserPage from './user-page';

const api = stubApi();
const MB = 1024 * 1024;
const ada = buildAdminUser();

function openPage(user: AdminUserDetails) {
  api.on('GET /api/admin/users/ada', { user });
  return renderInApp(
    <Routes>
      <Route path="/admin/users/:id" element={<AdminUserPage />} />
    </Routes>,
    { path: '/admin/users/ada' },
  );
}

it.each([
  ['Suspend', /shown to the user/],
  ['Credits', /shown to the user/],
  ['Sign out', /^Kept in the audit log\.$/],
  ['Delete', /^Kept in the audit log\.$/],
])('says who reads the reason of %j', async (name, hint) => {
  const { user } = openPage(ada);
  await user.click(await screen.findByRole('button', { name }));
  expect(within(screen.getByRole('dialog')).getByText(hint)).toBeTruthy();
});

it.each([
  ['Spam', 'Done'],
  ['The first reason', 'The user was suspended before, and the first reason stays.'],
])('says whether the reason of a suspension counts: %s', async (suspendedReason, message) => {
  const { user } = openPage(ada);
  api.on('POST /api/admin/users/ada/suspend', { user: { ...ada, suspendedReason } });
  await user.click(await screen.findByRole('button', { name: 'Suspend' }));
  const dialog = within(screen.getByRole('dialog'));
  await user.type(dialog.getByLabelText('Reason'), 'Spam');
  await user.click(dialog.getByRole('button', { name: 'Suspend' }));
  await screen.findByText(message);
});

it('gives a user other limits for a time, and ends them', async () => {
  const { user, unmount } = openPage(ada);
  api.on('POST /api/admin/users/ada/limits', { user: ada });
  const sent = () => api.requests.filter(({ method }) => method === 'POST').map(({ body }) => body);
  await user.click(await screen.findByRole('button', { name: 'Limits' }));
  await user.type(screen.getByLabelText('Reason'), 'A workshop');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(screen.getByText('Give a number of jobs, or of megabytes.')).toBeTruthy();
  await user.type(screen.getByLabelText('Storage in MB'), '500');
  fireEvent.change(screen.getByLabelText('Until'), { target: { value: '2027-01-31' } });
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const limits = { unfinishedJobs: null, storageBytes: 500 * MB, until: '2027-01-31T00:00:00Z' };
  expect(sent()).toEqual([{ reason: 'A workshop', limits }]);
  unmount();

  const again = openPage({ ...ada, limits: { ...limits, until: '2027-01-31T00:00:00.000Z' } });
  await screen.findByText(/of storage, until/);
  await again.user.click(screen.getByRole('button', { name: 'End temporary limits' }));
  await again.user.type(screen.getByLabelText('Reason'), 'It is over');
  await again.user.click(screen.getByRole('button', { name: 'End them' }));
  await waitFor(() => expect(sent()).toContainEqual({ reason: 'It is over', limits: null }));
});
