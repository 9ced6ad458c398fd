/** @jest-environment ./test/web/dom-environment.mjs */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { renderInApp } from '../../../../test/web/render-in-app';
import { stubApi } from '../../../../test/web/stub-api';
import { drafts } from '../../shared/drafts/drafts';
import { TopicForm } from './topic-form';

stubApi();
const ADDRESS = '/ai/write-article?new-account';

/** Types a topic and submits the form. */
async function send(topic: string) {
  const { user, address } = renderInApp(<TopicForm />);
  await user.type(screen.getByRole('textbox'), `${topic}{Enter}`);
  return { user, address };
}

describe('TopicForm', () => {
  beforeEach(() => drafts.clearAll());

  it('fills the topic into the article form', async () => {
    const { address } = await send(' Tides ');
    expect(drafts.read('write-article')).toEqual({ prompt: 'Tides' });
    expect(address()).toBe(ADDRESS);
  });

  it('keeps a draft if there is no topic', async () => {
    drafts.write('write-article', { prompt: 'Glass', length: 1200 });
    const { address } = await send(' ');
    expect(drafts.read('write-article')).toEqual({ prompt: 'Glass', length: 1200 });
    expect(address()).toBe(ADDRESS);
  });

  it('asks before it replaces a draft', async () => {
    drafts.write('write-article', { prompt: 'Glass', length: 1200 });
    const { user, address } = await send('Tides');
    expect(screen.getByRole('status').textContent).toContain('“Glass”');
    expect(drafts.read('write-article')).toEqual({ prompt: 'Glass', length: 1200 });
    expect(address()).toBe('/');
    await user.click(screen.getByRole('button', { name: 'Replace draft' }));
    expect(drafts.read('write-article')).toEqual({ prompt: 'Tides', length: 1200 });
    expect(address()).toBe(ADDRESS);
  });
});
