/** @jest-environment ./test/web/dom-environment.mjs */
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { buildJob, ended } from '../../../../../test/web/build-job';
import { renderInApp } from '../../../../../test/web/render-in-app';
import { failure, stubApi } from '../../../../../test/web/stub-api';
import { fileDrafts } from '../../../shared/drafts/file-drafts';
import { WordResume } from './word-resume';

const api = stubApi();
const ROUTE = 'POST /api/ai/tailored-bullets/resume';
const NAME = 'Download your resume with these lines (.docx)';
const bullet = (text: string, source: string) => `- ${text}\n  - *Resume, page 1:* ${source}\n`;
const BULLETS = bullet('Cut costs by 5%', '“Cut costs”') + bullet('Led ten people', '“Led people”');

function show(content: string, title = 'Tailored bullets of mara.docx') {
  const job = buildJob({
    ...{ tool: 'tailored-bullets', title, ...ended('succeeded') },
    result: { engine: 'offline', content },
  });
  return renderInApp(<WordResume job={job} text={content} />);
}

describe('the download of a resume with tailored bullets', () => {
  let saved: string[];
  beforeEach(() => {
    saved = [];
    URL.createObjectURL = () => 'blob:resume';
    URL.revokeObjectURL = () => undefined;
    jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download);
    });
    jest.spyOn(fileDrafts, 'read').mockResolvedValue(new File(['PK'], 'mara.docx'));
  });

  it('sends the changed lines and the resume, and lists lines that were not found', async () => {
    api.on(ROUTE, { file: 'UEs=', replaced: [{ source: 'Cut costs', text: 'x' }], missing: ['Led people'] });
    const { user } = show(BULLETS);
    await user.click(await screen.findByRole('button', { name: NAME }));
    const outcome = await screen.findByText('1 line replaced in “mara.docx”.');
    within(outcome.closest<HTMLElement>('[role=status]')!).getByText('Led ten people');
    expect(screen.queryByText('Cut costs by 5%')).toBeNull();
    expect(saved).toEqual(['mara - tailored.docx']);
    const sent = api.requests.find(({ method }) => method === 'POST')!.body as FormData;
    expect(JSON.parse(sent.get('lines') as string)).toEqual([
      { source: 'Cut costs', text: 'Cut costs by 5%' },
      { source: 'Led people', text: 'Led ten people' },
    ]);
    expect((sent.get('resume') as File).name).toBe('mara.docx');
  });

  it('saves nothing if no line was found', async () => {
    api.on(ROUTE, { file: 'UEs=', replaced: [], missing: ['Cut costs', 'Led people'] });
    const { user } = show(BULLETS);
    await user.click(await screen.findByRole('button', { name: NAME }));
    await screen.findByText(/^No line was found in “mara.docx”/);
    expect(saved).toEqual([]);
  });

  it('shows why it failed, and tries again', async () => {
    api.on(ROUTE, failure('UNREADABLE_DOCUMENT', 'This document has macros.'));
    const { user } = show(BULLETS);
    await user.click(await screen.findByRole('button', { name: NAME }));
    await screen.findByText('This document has macros.');
    jest.mocked(fileDrafts.read).mockResolvedValue(null);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByText(/^Choose your Word document \(\.docx\) in the form again\./);
  });

  it('is disabled while all lines are as in the resume, and absent for a PDF', async () => {
    const { unmount } = show(bullet('Cut costs', 'these words'));
    expect(await screen.findByRole('button', { name: NAME })).toHaveProperty('disabled', true);
    screen.getByText(/^All lines are in your resume as they are/);
    unmount();
    show(BULLETS, 'Tailored bullets of mara.pdf');
    expect(screen.queryByRole('button', { name: NAME })).toBeNull();
  });
});
