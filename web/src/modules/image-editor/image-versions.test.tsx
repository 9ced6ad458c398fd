/** @jest-environment ./test/web/dom-environment.mjs */
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { CreationVersion } from '#libs/contract/creation-versions.js';
import { fakeComposer } from '../../../../test/web/fake-composer';
import { renderInApp } from '../../../../test/web/render-in-app';
import { failure, stubApi } from '../../../../test/web/stub-api';
import { ImageVersions } from './image-versions';

const api = stubApi();
const CREATION = '11111111-1111-4111-8111-111111111111';
const EDITED = '22222222-2222-4222-8222-222222222222';

const version = (fields: Partial<CreationVersion>): CreationVersion => ({
  ...{ id: CREATION, number: 1, label: 'As it was made', createdAt: '2026-11-21T08:00:00.000Z' },
  ...{ content: 'http://localhost/files/cut', thumbnail: null, type: 'image/png', width: 400, height: 300 },
  ...{ original: true, current: true, cutOut: true, named: false },
  ...fields,
});
const edited = version({
  ...{ id: EDITED, number: 2, label: 'Sky background', original: false, cutOut: false },
});
const creation = {
  ...{ id: CREATION, prompt: 'A fox', type: 'image', content: 'http://localhost/files/cut', thumbnail: null },
  ...{ engine: 'offline', model: null, published: false, page: null, likes: [] },
  ...{
    jobId: null,
    settings: null,
    madeFrom: null,
    name: null,
    favourite: false,
    tags: [],
    revision: 1,
    editable: false,
  },
  created_at: '2026-11-21T08:00:00.000Z',
};

const asked = fakeComposer();
beforeEach(() => {
  api.on('GET /files/cut', new Response('bytes'));
});

const show = (versions: CreationVersion[]) => {
  api.on(`GET /api/user/creations/${CREATION}`, { creation, sources: [], batch: null });
  api.on(`GET /api/user/creations/${CREATION}/versions`, { versions });
  return renderInApp(<ImageVersions creationId={CREATION} fileName="cut" />);
};
const press = async (user: ReturnType<typeof show>['user'], name: string | RegExp, role = 'button') =>
  user.click(await screen.findByRole(role, { name }));

describe('the background of a cut-out', () => {
  it('is composed as chosen, and saved as a version of the current one', async () => {
    api.on(`POST /api/user/creations/${CREATION}/versions`, { version: edited, creation });
    const { user } = show([edited, version({ current: false })]);
    await press(user, 'Background and size');
    await screen.findByRole('img', { name: 'Preview: Transparent background' });
    await press(user, 'Colour', 'radio');
    await press(user, 'Sky', 'radio');
    await press(user, 'Shadow', 'tab');
    await press(user, 'Soft shadow', 'switch');
    fireEvent.change(screen.getByLabelText('Softness'), { target: { value: '11' } });
    await press(user, 'Frame', 'tab');
    await user.selectOptions(screen.getByLabelText('Size'), 'instagram-square');
    expect(screen.getByText(/1080 × 1080 pixels, enlarged 2\.7 times/)).toBeTruthy();
    await press(user, 'Save version');
    await screen.findByText('Version saved');

    const encoded = asked.find((request) => request.kind === 'encode');
    expect(encoded?.settings).toMatchObject({
      ...{ background: 'colour', colour: '#c9e0f0', size: 'instagram-square', framing: 'subject' },
      shadow: { blur: 11 },
    });
    const sent = api.requests.find(({ method }) => method === 'POST');
    const body = sent?.body as FormData;
    expect(body.get('label')).toBe('Sky background, soft shadow, Instagram, square');
    expect(body.get('base')).toBe(EDITED);
    expect(sent?.headers.get('Idempotency-Key')).toMatch(/\S/);

    api.on(`POST /api/user/creations/${CREATION}/versions/${EDITED}/restore`, { version: edited, creation });
    await press(user, 'Undo');
    await screen.findByText('Earlier version restored');
  });

  it('explains a missing original and the missing transparency of JPEG', async () => {
    const { user } = show([version({})]);
    await press(user, 'Background and size');
    expect(await screen.findByText(/The original is no longer stored/)).toBeTruthy();
    expect(screen.queryByRole('radio', { name: 'Blurred original' })).toBeNull();
    await press(user, 'Format', 'tab');
    await press(user, 'JPEG', 'radio');
    expect(screen.getByText(/JPEG has no transparency/)).toBeTruthy();
    await press(user, 'Frame', 'tab');
    // Amazon requires white, so choosing its size sets the background.
    await user.selectOptions(screen.getByLabelText('Size'), 'amazon');
    expect(screen.getByText(/Amazon requires pure white/)).toBeTruthy();
    expect(screen.getByRole('img', { name: 'Preview: White background, Amazon, main image' })).toBeTruthy();
  });

  it('keeps the choice if another device saved another cut-out', async () => {
    api.on(
      `POST /api/user/creations/${CREATION}/versions`,
      failure('VERSION_CONFLICT', 'This image was changed elsewhere.'),
    );
    const { user } = show([version({})]);
    await press(user, 'Background and size');
    await press(user, 'Colour', 'radio');
    api.on(`GET /api/user/creations/${CREATION}/versions`, {
      versions: [
        { ...edited, cutOut: true, content: 'http://localhost/files/other' },
        version({ current: false }),
      ],
    });
    api.on('GET /files/other', new Response('bytes'));
    await press(user, 'Save version');
    await screen.findByText('This image was changed elsewhere.');
    await screen.findByRole('button', { name: 'Versions (2)' });
    expect(screen.getByRole('img', { name: 'Preview: White background' })).toBeTruthy();
  });
});

describe('the versions of an image', () => {
  it('are restored, and deleted after a confirmation', async () => {
    const restored = jest.fn();
    const deleted = jest.fn();
    api.on(`POST /api/user/creations/${CREATION}/versions/${EDITED}/restore`, () => {
      restored();
      return { version: edited, creation };
    });
    api.on(`DELETE /api/user/creations/${CREATION}/versions/${EDITED}`, () => {
      deleted();
      return { message: 'Deleted' };
    });
    const { user } = show([{ ...edited, current: false }, version({})]);
    await press(user, 'Versions (2)');
    const [first, second] = within(screen.getByRole('list', { name: 'Versions' })).getAllByRole('listitem');
    expect(within(second!).queryByRole('button')).toBeNull();
    expect(second?.getAttribute('aria-current')).toBe('true');
    await user.click(within(first!).getByRole('button', { name: 'Restore version 2, Sky background' }));
    await waitFor(() => expect(restored).toHaveBeenCalled());
    await press(user, 'Delete version 2, Sky background');
    expect(document.activeElement?.textContent).toBe('Cancel');
    await press(user, 'Cancel');
    expect(deleted).not.toHaveBeenCalled();
    await press(user, 'Delete version 2, Sky background');
    await press(user, 'Delete permanently');
    await waitFor(() => expect(deleted).toHaveBeenCalled());
  });

  it('offer nothing for a single version that is no cut-out', async () => {
    show([version({ cutOut: false })]);
    await waitFor(() => expect(api.requests.some(({ path }) => path.endsWith('/versions'))).toBe(true));
    // Match buttons by name: toasts of earlier tests may still show others.
    expect(screen.queryByRole('button', { name: /^(Background|Versions)/ })).toBeNull();
  });
});
