/** @jest-environment ./test/web/dom-environment.mjs */
import { describe, expect, it } from '@jest/globals';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { FormProvider, useForm } from 'react-hook-form';
import type { Voice } from '#libs/contract/brief.js';
import { renderInApp } from '../../../../../test/web/render-in-app';
import { failure, stubApi } from '../../../../../test/web/stub-api';
import { blankBrief, BriefFields } from './brief-fields';

const api = stubApi();
const shop: Voice = {
  id: '11111111-1111-4111-8111-111111111111',
  name: 'My shop',
  manner: { tone: 'Warm', audience: 'Neighbours' },
};
const posts = () => api.requests.filter(({ method }) => method === 'POST').map(({ body }) => body);

function Form() {
  const form = useForm({ defaultValues: blankBrief });
  return (
    <FormProvider {...form}>
      <BriefFields fields={['tone', 'avoid']} />
    </FormProvider>
  );
}

async function open(voices: Voice[]) {
  api.on('GET /api/user/voices', () => ({ voices }));
  const view = renderInApp(<Form />);
  await view.user.click(screen.getByRole('button', { name: /^Brief/ }));
  return view;
}

describe('BriefFields', () => {
  it('saves a brief as a voice once for repeated Enter, and not while a word is composed', async () => {
    const { user } = await open([]);
    const answer = Promise.withResolvers<Response>();
    api.on('POST /api/user/voices', () => answer.promise);
    await user.type(screen.getByRole('textbox', { name: 'Tone' }), 'Warm');
    await user.click(await screen.findByRole('button', { name: 'Save this brief as a voice' }));
    const name = screen.getByRole('textbox', { name: 'Name of the voice' });
    await user.type(name, 'My shop');
    fireEvent.keyDown(name, { key: 'Enter', isComposing: true });
    expect(posts()).toEqual([]);
    await user.type(name, '{Enter}{Enter}');
    expect(posts()).toEqual([{ name: 'My shop', manner: { tone: 'Warm' } }]);
    answer.resolve(Response.json({ voice: shop }));
    await screen.findByText('Voice “My shop” saved');
    expect(screen.queryByRole('textbox', { name: 'Name of the voice' })).toBeNull();
  });

  it('shows the chosen voice after it was collapsed, and deletes it with Undo', async () => {
    const voices = [shop];
    const { user } = await open(voices);
    api.on('DELETE /api/user/voices/:id', () => ({ message: `Deleted ${voices.pop()?.name}` }));
    api.on('POST /api/user/voices', { voice: shop });
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Voice' }), 'My shop');
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Tone' }).value).toBe('Warm');
    const toggle = screen.getByRole('button', { name: /^Brief/ });
    await user.click(toggle);
    await user.click(toggle);
    expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Voice' }).value).toBe(shop.id);
    await user.click(screen.getByRole('button', { name: 'Delete voice' }));
    await screen.findByText('Deleted the voice “My shop”');
    await waitFor(() => expect(screen.queryByRole('combobox', { name: 'Voice' })).toBeNull());
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(posts()).toEqual([{ name: 'My shop', manner: shop.manner }]));
  });

  it('says that the voices could not be loaded while it retries', async () => {
    api.on('GET /api/user/voices', failure('UNAVAILABLE', 'Not now.'));
    const { user } = renderInApp(<Form />, { retry: true });
    await user.click(screen.getByRole('button', { name: /^Brief/ }));
    await screen.findByText(/^Your voices could not be loaded/);
  });
});
