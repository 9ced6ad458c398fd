/** @jest-environment ./test/web/dom-environment.mjs */
import { describe, expect, it, jest } from '@jest/globals';
import { fireEvent, screen } from '@testing-library/react';
import type { Job } from '#libs/contract/jobs.js';
import type { NotebookDocument } from '#libs/contract/notebooks.js';
import { buildJob, ended } from '../../../../../../test/web/build-job';
import { renderInApp } from '../../../../../../test/web/render-in-app';
import { stubApi } from '../../../../../../test/web/stub-api';
import { DocumentsPane } from './documents-pane';
import type { UploadList } from './use-document-uploads';

const api = stubApi();
const NOTEBOOK = '33333333-3333-4333-8333-333333333333';
const scan: NotebookDocument = {
  id: '44444444-4444-4444-8444-444444444444',
  name: 'scan.pdf',
  kind: 'pdf',
  state: 'ready',
  jobId: null,
  message: null,
  source: 1,
  enabled: true,
  pages: 2,
  hasFile: true,
  hasSummary: false,
  addedAt: '2026-01-01T00:00:00.000Z',
  replacedBy: null,
};

function setUp(plan: 'free' | 'premium', jobs: readonly Job[] = []) {
  api.setAccount({ plan });
  const add = jest.fn<UploadList['add']>();
  const view = renderInApp(
    <DocumentsPane
      notebookId={NOTEBOOK}
      documents={[scan]}
      uploads={{ uploads: [], add, retry: () => undefined, remove: () => undefined }}
      disabled={plan === 'free'}
      openId={null}
      onOpen={() => undefined}
      onRemove={() => undefined}
    />,
    { jobs },
  );
  const drop = (...files: File[]) =>
    fireEvent.drop(screen.getByRole('region', { name: 'Documents' }), { dataTransfer: { files } });
  return { ...view, add, drop };
}

describe('DocumentsPane', () => {
  it('says why no documents can be added without the premium plan', async () => {
    const { add, drop } = setUp('free');
    const reason = await screen.findByText('Adding documents is part of the premium plan.');
    const paste = screen.getByRole<HTMLButtonElement>('button', { name: 'Paste a text' });
    expect(paste.disabled).toBe(true);
    expect(paste.getAttribute('aria-describedby')).toBe(reason.id);
    drop(new File(['Fees'], 'fees.txt', { type: 'text/plain' }));
    expect((await screen.findByRole('alert')).textContent).toContain('Nothing was added.');
    expect(add).not.toHaveBeenCalled();
  });

  it('lists each refused file, also two of one name', async () => {
    const error = jest.spyOn(console, 'error');
    const { add, drop } = setUp('premium');
    const photo = () => new File(['x'], 'photo.png', { type: 'image/png' });
    drop(photo(), photo(), new File(['Fees'], 'fees.txt', { type: 'text/plain' }));
    expect(await screen.findAllByText(/“photo.png” cannot be used/)).toHaveLength(2);
    expect(add.mock.calls[0]?.[0].map(({ name }) => name)).toEqual(['fees.txt']);
    expect(error).not.toHaveBeenCalled();
  });

  it('shows what to know about a document that was read', () => {
    const notice = 'Page 2 was hard to read; check what is quoted from it.';
    const result = { notebookId: NOTEBOOK, documentId: scan.id, notice };
    const tool = 'add-notebook-document';
    setUp('premium', [buildJob({ ...ended('succeeded'), tool, notebookId: NOTEBOOK, result })]);
    expect(screen.getByText(notice)).toBeTruthy();
  });
});
