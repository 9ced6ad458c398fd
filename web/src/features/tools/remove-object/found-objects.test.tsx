/** @jest-environment ./test/web/dom-environment.mjs */
import { beforeEach, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import type { Creation } from '#libs/contract/creations.js';
import type { MaskPreview } from '#libs/contract/object-mask.js';
import { renderInApp } from '../../../../../test/web/render-in-app';
import { failure, stubApi } from '../../../../../test/web/stub-api';
import { SearchStatus } from './found-objects';
import { useFoundMask } from './use-found-mask';

const api = stubApi();
const ROUTE = '/api/ai/remove-image-object/mask';
const image = new File(['picture'], 'a.png', { type: 'image/png' });
const box = { left: 0.2, top: 0.1, right: 0.6, bottom: 0.9 };
const preview: MaskPreview = {
  ...{ mask: 'data:image/png;base64,QQ==', width: 4, height: 3 },
  objects: [{ name: 'phone', score: 0.9, box, chosen: true }],
  others: ['chair', 'chair'].map((name) => ({ name, score: 0.8, box })),
};

class MaskReader extends EventTarget {
  postMessage({ id }: { id: number }) {
    const data = { id, answer: { width: 4, height: 3, pixels: new Uint8Array(12) } };
    queueMicrotask(() => this.dispatchEvent(new MessageEvent('message', { data })));
  }
  terminate() {
    return undefined;
  }
}

beforeEach(() => {
  Object.assign(globalThis, { Worker: MaskReader });
});

function Clickable({ name, source = null }: { name: string; source?: Creation | null }) {
  const search = useFoundMask(image, source, name);
  return (
    <>
      <button onClick={() => search.searchAt({ x: 0.25, y: 0.5 })}>Picture</button>
      <SearchStatus search={search.clickedAt === null ? null : search} />
      <output data-testid="clicked">{search.found?.pixels.clicked}</output>
    </>
  );
}

it('finds and names the clicked object, whatever name the form has', async () => {
  api.on(`POST ${ROUTE}`, { ...preview });
  const { user } = renderInApp(<Clickable name="watch" />);
  await user.click(screen.getByRole('button', { name: 'Picture' }));
  await screen.findByText('Found: a phone. Also in the picture: two chairs.');
  expect(screen.getByTestId('clicked').textContent).toBe('phone');
  const sent = api.requests.find(({ path }) => path === ROUTE)?.body as FormData;
  expect([sent.get('object'), sent.get('x'), sent.get('y')]).toEqual([null, '0.25', '0.5']);
  expect((sent.get('image') as File).name).toBe('a.png');
});

it('does not send a picture that the server has', async () => {
  api.on(`POST ${ROUTE}`, { ...preview });
  const source = { id: 'creation-1' } as Creation;
  const { user } = renderInApp(<Clickable name="" source={source} />);
  await user.click(screen.getByRole('button', { name: 'Picture' }));
  await screen.findByText(/Found: /);
  const sent = api.requests.find(({ path }) => path === ROUTE)?.body as FormData;
  expect(Object.fromEntries(sent)).toEqual({ x: '0.25', y: '0.5', creation: 'creation-1' });
});

it('lists the detected objects if there is none at the point', async () => {
  const message = 'Nothing is recognised at that place of the picture. I see a person in it.';
  api.on(`POST ${ROUTE}`, failure('ENGINE_CANNOT', message));
  const { user } = renderInApp(<Clickable name="" />);
  await user.click(screen.getByRole('button', { name: 'Picture' }));
  await screen.findByText(message);
  expect(screen.queryByText(/Found: /)).toBeNull();
});
