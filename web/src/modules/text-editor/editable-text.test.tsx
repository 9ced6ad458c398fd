/** @jest-environment ./test/web/dom-environment.mjs */
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { Creation } from '#libs/contract/creations.js';
import type { CreationVersion } from '#libs/contract/creation-versions.js';
import { buildJob, ended } from '../../../../test/web/build-job';
import { renderInApp } from '../../../../test/web/render-in-app';
import { failure, stubApi } from '../../../../test/web/stub-api';
import { useCreation } from '../creations/api/creation-pages';
import { drafts } from '../../shared/drafts/drafts';
import { EditableText, EditButton } from './editable-text';
// Imported here so that the lazy import of the editor doesn't slow down the first test.
import './ui/text-editor';
import { useTextEditing } from './use-text-editing';

const api = stubApi();
const ID = '11111111-1111-4111-8111-111111111111';

let stored: Creation;
const creation = (changes: Partial<Creation> = {}): Creation => ({
  ...{ id: ID, prompt: 'A topic', type: 'article', content: '# Title\n\nA text.\n', thumbnail: null },
  ...{
    engine: 'offline',
    model: null,
    published: false,
    page: null,
    moderation: null,
    likes: [],
    jobId: null,
  },
  ...{ settings: null, madeFrom: null, name: null, favourite: false, tags: [], revision: 1, editable: true },
  created_at: '2026-11-21T08:00:00.000Z',
  ...changes,
});

const version = (changes: Partial<CreationVersion>): CreationVersion => ({
  ...{ id: ID, number: 1, label: 'As it was made', createdAt: '2026-11-21T08:00:00.000Z', named: false },
  ...{ content: null, thumbnail: null, type: null, width: null, height: null },
  ...{ original: true, cutOut: false, current: false },
  ...changes,
});

function TextPage() {
  const editing = useTextEditing(useCreation(ID).data);
  return (
    <>
      <EditButton editing={editing} />
      <output aria-label="Copied">{editing.text}</output>
      <EditableText editing={editing} text={editing.text ?? ''} />
    </>
  );
}

beforeEach(() => {
  sessionStorage.clear();
  stored = creation();
  api.on('GET /api/user/creations/:id', () => ({ creation: stored, sources: [] }));
  api.on('PUT /api/user/creations/:id/content', ({ headers, body }) => {
    if (headers.get('If-Match') !== `"${stored.revision}"`)
      return failure('VERSION_CONFLICT', 'It was changed elsewhere.');
    const { content } = body as { content: string };
    stored = { ...stored, content, revision: stored.revision + 1 };
    return { creation: stored };
  });
  api.on('GET /api/user/creations/:id/versions', () => ({
    versions: [
      version({
        ...{ id: ID.replaceAll('1', '2'), number: 2, label: 'Edited', original: false, current: true },
      }),
      version({}),
    ],
  }));
  api.on(`GET /api/user/creations/${ID}/versions/${ID}`, () => ({
    version: version({ content: '# Title\n\nA text.\n' }),
  }));
});

describe('a text that can be edited', () => {
  it('opens by the key E, saves automatically, and is shown as edited after closing', async () => {
    const { user } = renderInApp(<TextPage />);
    await screen.findByRole('button', { name: 'Edit' });
    await user.keyboard('e');
    const text = await screen.findByRole('textbox', { name: 'Text' });
    expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull();
    expect(document.activeElement).toBe(text);

    await user.click(screen.getByRole('button', { name: 'Bulleted list' }));
    await user.keyboard('{Control>}s{/Control}');
    await waitFor(() => expect(stored.content).toBe('- # Title\n\nA text.\n'));
    await screen.findByText('Saved');
    await user.keyboard('{Escape}');
    const button = await screen.findByRole('button', { name: 'Edit' });
    expect(document.activeElement).toBe(button);
    expect(screen.getByLabelText('Copied').textContent).toBe('- # Title\n\nA text.\n');
    await screen.findByRole('button', { name: 'Versions (2)' });
  });

  const openEditor = async () => {
    const app = renderInApp(<TextPage />);
    await app.user.click(await screen.findByRole('button', { name: 'Edit' }));
    await screen.findByRole('textbox', { name: 'Text' });
    return app;
  };

  it('continues with a text stored on this device, and merges it with changes saved elsewhere', async () => {
    const base = { content: stored.content, revision: 1 };
    stored = creation({ content: '# A better title\n\nA text.\n', revision: 4 });
    const draft = { session: ID, time: 1, text: '# Title\n\nMy text.\n', base, unanswered: [] };
    drafts.write(`user-1:text:${ID}:${ID}`, draft);
    renderInApp(<TextPage />);
    await waitFor(() => expect(stored.content).toBe('# A better title\n\nMy text.\n'));
    await waitFor(() => expect(sessionStorage.length).toBe(0));
    expect(screen.getByRole('textbox', { name: 'Text' }).textContent).toBe('A better titleMy text.');
    expect(document.activeElement).toBe(document.body);
  });

  it('shows conflicting changes side by side, and saves the chosen one', async () => {
    const base = { content: stored.content, revision: 1 };
    stored = creation({ content: '# Title\n\nTheir text.\n', revision: 2 });
    const draft = { session: ID, time: 1, text: '# Title\n\nMy text.\n', base, unanswered: [] };
    drafts.write(`user-1:text:${ID}:${ID}`, draft);
    const { user } = renderInApp(<TextPage />);
    const dialog = await screen.findByRole('dialog', { name: 'Changed in two places' });
    expect(within(dialog).getByRole('region', { name: 'Yours' }).textContent).toContain('My text.');
    expect(within(dialog).getByRole('region', { name: 'Other version' }).textContent).toContain(
      'Their text.',
    );
    // Without a choice, both versions are used. Keys pressed while the dialog opens must not make a choice.
    await user.keyboard('word ');
    await user.click(within(dialog).getByRole('button', { name: 'Use this' }));
    await waitFor(() => expect(stored.content).toBe('# Title\n\nMy text.\n\nTheir text.\n'));
  });

  it('shows that it waits for a connection, also after closing, and can be continued', async () => {
    const put = 'PUT /api/user/creations/:id/content';
    const { user } = await openEditor();
    api.on(put, Response.error());
    await user.click(screen.getByRole('button', { name: 'Quote' }));
    await user.keyboard('{Control>}s{/Control}');
    await screen.findByText('Offline: saved on this device');
    await user.click(screen.getByRole('button', { name: 'Done' }));
    await user.click(await screen.findByRole('button', { name: 'Continue editing' }));
    expect(screen.getByRole('textbox', { name: 'Text' }).querySelector('blockquote')).not.toBeNull();
    api.on(put, () => ({
      creation: (stored = creation({ content: '> # Title\n\nA text.\n', revision: 2 })),
    }));
    fireEvent(window, new Event('online'));
    await screen.findByText('Saved');
  });

  it('moves through the tools by arrow keys, and sets links', async () => {
    const { user } = await openEditor();
    await user.keyboard('{Shift>}{Tab}{/Shift}');
    screen.getByRole('button', { name: 'Done' }).focus();
    await user.keyboard('{Shift>}{Tab}{/Shift}');
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Style: Heading 1');
    await user.keyboard('{ArrowRight}');
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Bold');
    await user.click(screen.getByRole('button', { name: 'Link' }));
    const field = screen.getByRole('textbox', { name: 'Address' });
    await user.type(field, 'nowhere{Enter}');
    await screen.findByText(/Enter a web address/);
    await user.clear(field);
    await user.type(field, 'example.com{Enter}');
    await waitFor(() => expect(stored.content).toContain('<https://example.com>'));
  });

  it('finds and replaces words', async () => {
    stored = creation({ content: 'One cat, two cats.\n\nA Cat.\n' });
    const { user } = await openEditor();
    // The key of F on a Russian layout with Caps Lock.
    fireEvent.keyDown(screen.getByRole('textbox', { name: 'Text' }), {
      key: 'А',
      code: 'KeyF',
      ctrlKey: true,
    });
    const bar = await screen.findByRole('search', { name: 'Find and replace' });
    await user.type(within(bar).getByRole('textbox', { name: 'Find' }), 'cat{Enter}{Enter}');
    await within(bar).findByText('2 of 3');
    await user.type(within(bar).getByRole('textbox', { name: 'Replace with' }), 'do$$g');
    await user.click(within(bar).getByRole('button', { name: 'Replace' }));
    await within(bar).findByText('2 of 2');
    await user.click(within(bar).getByRole('button', { name: 'Replace all' }));
    await within(bar).findByText('Not found');
    await user.keyboard('{Escape}{Control>}s{/Control}');
    await waitFor(() => expect(stored.content).toBe('One do$$g, two do$$gs.\n\nA do$$g.\n'));
    expect(screen.queryByRole('search')).toBeNull();
  });

  describe('rewriting a part', () => {
    const job = buildJob({ tool: 'rewrite-text', title: 'A text.' });
    const start = async () => {
      api.on('POST /api/ai/rewrite-text', () =>
        Response.json({ success: true, job: { ...job, status: 'running' } }, { status: 202 }),
      );
      const app = await openEditor();
      await app.user.keyboard('{Control>}j{/Control}');
      await app.user.click(await screen.findByRole('menuitem', { name: 'Make shorter' }));
      const panel = await screen.findByRole('group', { name: /^Suggestion for .*: Make shorter$/ });
      await waitFor(() =>
        expect(api.requests.some(({ path }) => path === '/api/ai/rewrite-text')).toBe(true),
      );
      await within(panel).findByRole('button', { name: 'Stop' });
      return { ...app, panel };
    };
    const result = (content: string) => ({
      ...{ content, engine: 'offline', model: null, notice: null },
      changedFacts: [{ kind: 'number', change: 'lost', text: '1843' }],
    });
    const finish = (put: (finished: typeof job) => void, content: string) =>
      put({ ...job, ...ended('succeeded'), revision: job.revision + 1_000, result: result(content) });

    it('inserts an accepted suggestion in one step, as a separate version', async () => {
      const { panel, putJob, user } = await start();
      await waitFor(() => expect(document.activeElement).toBe(panel));
      const request = api.requests.find(({ path }) => path === '/api/ai/rewrite-text');
      expect(request?.body).toEqual({ action: 'shorter', text: '# Title\n\nA text.', creation: ID });
      finish(putJob, '# Title\n\nText.');
      const accept = await within(panel).findByRole('button', { name: 'Accept' });
      await waitFor(() => expect(document.activeElement).toBe(accept));
      expect(panel.textContent).toContain('Removed: 1843');
      await user.keyboard('{Enter}');
      await waitFor(() => expect(stored.content).toBe('# Title\n\nText.\n'));
      const saves = () => api.requests.filter(({ method }) => method === 'PUT').map(({ body }) => body);
      expect(saves()).toEqual([expect.objectContaining({ label: 'Shortened' })]);
      await user.click(screen.getByRole('button', { name: 'Undo' }));
      await user.keyboard('{Control>}s{/Control}');
      await waitFor(() => expect(stored.content).toBe('# Title\n\nA text.\n'));
      const [accepted, undone] = saves() as { session: string }[];
      expect(undone?.session).not.toBe(accepted?.session);
    });

    it('changes nothing if it is rejected by Escape, stopped, or failed', async () => {
      const { panel, putJob, user } = await start();
      putJob({
        ...{ ...job, ...ended('failed'), revision: job.revision + 1_000, credits: 0 },
        error: { code: 'PROVIDER_FAILED', message: 'No answer came. Your credit was given back.' },
      });
      await within(panel).findByText('No answer came. Your credit was given back.');
      api.on(`POST /api/jobs/${job.id}/retry`, () => {
        const again = buildJob({ id: ID.replaceAll('1', '3'), tool: 'rewrite-text' });
        return Response.json({ success: true, job: again }, { status: 202 });
      });
      await user.click(within(panel).getByRole('button', { name: 'Retry' }));
      const cancelled = `DELETE /api/jobs/${ID.replaceAll('1', '3')}`;
      api.on(cancelled, { job: buildJob({ id: ID.replaceAll('1', '3'), ...ended('cancelled') }) });
      await within(panel).findByRole('button', { name: 'Stop' });
      await user.keyboard('{Escape}');
      await waitFor(() => expect(screen.queryByRole('group', { name: /^Suggestion/ })).toBeNull());
      await waitFor(() => expect(api.requests.some(({ method }) => method === 'DELETE')).toBe(true));
      expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Text' }));
      expect(stored.revision).toBe(1);
    });

    const KEPT = `user-1:suggestion:${ID}`;
    const keep = (markdown: string) =>
      drafts.write(KEPT, {
        ...{ jobId: job.id, choice: { action: 'shorter' }, markdown },
        passage: { from: 1, to: 8, isInline: true, name: 'the selected words' },
      });
    const reload = async () => {
      api.on(`GET /api/jobs/${job.id}`, { job: { ...job, partial: 'Fewer' } });
      const app = renderInApp(<TextPage />);
      const panel = await screen.findByRole('group', {
        name: 'Suggestion for the selected words: Make shorter',
      });
      return { ...app, panel };
    };

    it('continues after a reload next to the passage, without moving the focus', async () => {
      keep('A text.');
      const { panel, putJob, user } = await reload();
      await within(panel).findByText('Fewer');
      expect(panel.closest('p, div')?.parentElement?.previousElementSibling?.textContent).toBe('A text.');
      finish(putJob, 'Words.');
      const accept = await within(panel).findByRole('button', { name: 'Accept' });
      expect(document.activeElement).toBe(document.body);
      await user.click(accept);
      await waitFor(() => expect(stored.content).toBe('# Title\n\nWords.\n'));
      expect(drafts.read(KEPT)).toBeNull();
    });

    it('reports after a reload that the passage was deleted', async () => {
      keep('Other words.');
      const { panel, putJob, user } = await reload();
      finish(putJob, 'Words.');
      await within(panel).findByRole('button', { name: 'Copy' });
      within(panel).getByText('The passage was deleted');
      expect(within(panel).queryByRole('button', { name: 'Accept' })).toBeNull();
      await user.click(within(panel).getByRole('button', { name: 'Reject' }));
      expect([drafts.read(KEPT), stored.revision]).toEqual([null, 1]);
    });

    it('is refused without credits', async () => {
      api.on('POST /api/ai/rewrite-text', failure('INSUFFICIENT_CREDITS', 'No credits left.'));
      const { user } = await openEditor();
      await user.click(screen.getByRole('button', { name: 'Rewrite' }));
      await user.click(await screen.findByRole('menuitem', { name: 'Fix spelling and grammar' }));
      await screen.findByText('No credits left.');
      await user.click(screen.getByRole('button', { name: 'Close' }));
      expect(screen.queryByRole('group', { name: /^Suggestion/ })).toBeNull();
    });
  });

  it('goes to a heading of the outline', async () => {
    stored = creation({ content: '# One\n\nText.\n\n## Two\n\nMore.\n' });
    const { user } = await openEditor();
    await user.click(screen.getByRole('button', { name: 'Outline' }));
    const scrolled = jest.spyOn(window, 'scrollBy').mockReturnValue();
    await user.click(await screen.findByRole('menuitem', { name: 'Two' }));
    expect(scrolled).toHaveBeenCalledTimes(1);
    scrolled.mockRestore();
    await screen.findByRole('button', { name: 'Style: Heading 2' });
  });

  it('lists the versions of a text, compares and names them', async () => {
    stored = creation({ content: '# Title\n\nA longer text.\n', revision: 3 });
    const { user } = renderInApp(<TextPage />);
    await user.click(await screen.findByRole('button', { name: 'Versions (2)' }));
    await user.click(screen.getByRole('button', { name: /Compare version 1/ }));
    const dialog = await screen.findByRole('dialog', { name: 'Changes since “As it was made”' });
    await within(dialog).findByText('1 word added, 0 words removed.');
    expect(within(dialog).getByText('longer', { exact: false }).tagName).toBe('INS');
    await user.keyboard('{Escape}');

    const second = ID.replaceAll('1', '2');
    api.on(`PATCH /api/user/creations/${ID}/versions/${second}`, ({ body }) => ({
      version: version({ id: second, number: 2, named: true, ...(body as { label: string }) }),
    }));
    await user.click(screen.getByRole('button', { name: 'Name version 2, Edited' }));
    await user.type(screen.getByRole('textbox', { name: 'Name of version 2' }), 'For the printer{Enter}');
    await waitFor(() => expect(api.requests.some(({ method }) => method === 'PATCH')).toBe(true));
    await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Name of version 2' })).toBeNull());

    api.on(`POST /api/user/creations/${ID}/versions/${ID}/restore`, () => {
      stored = creation({ revision: 4 });
      return { creation: stored, version: version({ current: true }) };
    });
    await user.click(screen.getByRole('button', { name: 'Restore version 1, As it was made' }));
    await waitFor(() => expect(screen.getByLabelText('Copied').textContent).toBe(stored.content));
  });
});
