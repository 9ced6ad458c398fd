/** @jest-environment ./test/web/dom-environment.mjs */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { buildJob, ended } from '../../../../../../test/web/build-job';
import { renderInApp } from '../../../../../../test/web/render-in-app';
import { failure, stubApi } from '../../../../../../test/web/stub-api';
import { ConversationPane } from './conversation-pane';
import { useNotebookChat } from './use-notebook-chat';

const api = stubApi();
const NOTEBOOK = '33333333-3333-4333-8333-333333333333';
const MESSAGES = 'GET /api/notebooks/:id/messages';
const asked = { tool: 'ask-notebook', notebookId: NOTEBOOK, title: 'What is the fee?' };
const stored = {
  earlierCursor: null,
  messages: [
    { id: '1', role: 'user', content: 'What is the fee?' },
    { id: '2', role: 'assistant', content: 'It is 31 pounds.', engine: 'openai', model: 'gpt' },
  ],
};

function Pane() {
  const chat = useNotebookChat(NOTEBOOK, [], false);
  return (
    <ConversationPane
      notebookId={NOTEBOOK}
      chat={chat}
      documents={1}
      onOpenPage={() => undefined}
      onClear={() => undefined}
    />
  );
}

const fetches = () => api.requests.filter(({ path }) => path.includes('/messages')).length;

async function setUp() {
  const job = buildJob(asked);
  api.on('GET /api/jobs/:id', () => ({ job: { ...job, partial: 'It is 31' } }));
  const view = renderInApp(<Pane />, { path: `/?job=${job.id}`, jobs: [job] });
  await screen.findByText('It is 31');
  await waitFor(() => expect(fetches()).toBe(1));
  return {
    ...view,
    succeed: () =>
      view.putJob(
        buildJob({ ...asked, ...ended('succeeded'), id: job.id, result: { content: 'It is 31 pounds.' } }),
      ),
  };
}

describe('ConversationPane', () => {
  beforeEach(() => {
    // jsdom does not scroll.
    Element.prototype.scrollTo = () => undefined;
    api.setAccount({ plan: 'premium' });
    api.on('GET /api/jobs', { jobs: [], nextCursor: null });
    api.on(MESSAGES, { earlierCursor: null, messages: [] });
  });

  it('replaces the answer by the stored one, which it fetches once', async () => {
    const { succeed, address } = await setUp();
    api.on(MESSAGES, stored);
    succeed();
    await screen.findByRole('button', { name: 'Keep as note' });
    expect(screen.getAllByText('It is 31 pounds.')).toHaveLength(1);
    await waitFor(() => expect(address()).toBe('/'));
    expect(fetches()).toBe(2);
  });

  it('keeps the answer until the stored one can be fetched', async () => {
    const { succeed, user } = await setUp();
    api.on(MESSAGES, failure('FORBIDDEN', 'Not now.'));
    succeed();
    expect((await screen.findByRole('alert')).textContent).toContain('Not now.');
    expect(screen.getByText('It is 31 pounds.')).toBeTruthy();
    expect(screen.queryByText('Generating response...')).toBeNull();
    api.on(MESSAGES, stored);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByRole('button', { name: 'Keep as note' });
    expect(screen.getAllByText('It is 31 pounds.')).toHaveLength(1);
    expect(screen.queryByRole('alert')).toBeNull();
  });
});
