/** @jest-environment ./test/web/dom-environment.mjs */
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import type { Job } from '#libs/contract/jobs.js';
import type { FileChoice } from '../../../modules/submission/files/use-file-choice';
import { buildJob } from '../../../../../test/web/build-job';
import { renderInApp } from '../../../../../test/web/render-in-app';
import { failure, stubApi } from '../../../../../test/web/stub-api';
import { QuestionBox } from './question-box';

const api = stubApi();
const ASK = 'POST /api/ai/chat-with-pdf';
const accepted = () =>
  Response.json({ success: true, job: buildJob({ tool: 'chat-with-pdf' }) }, { status: 202 });

interface BoxOptions {
  fileName?: string | null;
  file?: File | null;
  waiting?: boolean;
}

function setUp({ fileName = 'report.pdf', file = null, waiting = false }: BoxOptions = {}) {
  const reject = jest.fn<(message: string) => void>();
  const upload: FileChoice = {
    kind: 'pdf',
    file,
    source: null,
    loading: false,
    problem: null,
    choose: () => undefined,
    reject,
  };
  const onAsked = jest.fn<(job: Job, question: string) => void>();
  const view = renderInApp(
    <QuestionBox upload={upload} fileName={fileName} history={[]} waiting={waiting} onAsked={onAsked} />,
  );
  return { ...view, reject, onAsked, box: screen.getByRole<HTMLTextAreaElement>('textbox') };
}

const questions = () => api.requests.filter(({ method }) => method === 'POST');

describe('QuestionBox', () => {
  beforeEach(() => {
    sessionStorage.clear();
    api.setAccount({ plan: 'premium' });
  });

  it('sends by Enter and begins a new line by Shift+Enter', async () => {
    api.on(ASK, accepted);
    const { user, box, onAsked } = setUp();
    await user.type(box, 'How many{Shift>}{Enter}{/Shift}ships?{Enter}');
    await waitFor(() => expect(onAsked).toHaveBeenCalledTimes(1));
    expect(onAsked.mock.calls[0]?.[1]).toBe('How many\nships?');
    expect(questions().map(({ body }) => body)).toEqual([
      { message: 'How many\nships?', chatHistory: [], file_name: 'report.pdf' },
    ]);
    expect(box.value).toBe('');
    expect(document.activeElement).toBe(box);
  });

  it('sends a new file with the question', async () => {
    api.on(ASK, accepted);
    const file = new File(['%PDF'], 'new.pdf', { type: 'application/pdf' });
    const { user, box } = setUp({ file, fileName: null });
    await user.type(box, 'Who?{Enter}');
    await waitFor(() => expect(questions()).toHaveLength(1));
    expect((questions()[0]?.body as FormData).get('pdf')).toEqual(file);
  });

  it('asks for a question', async () => {
    const { user, box } = setUp();
    await user.type(box, '  {Enter}');
    expect(await screen.findByText('Please enter your question')).toBeTruthy();
    expect(questions()).toEqual([]);
  });

  it('is disabled without a document', () => {
    const { box } = setUp({ fileName: null });
    expect(box.disabled).toBe(true);
    expect(box.placeholder).toBe('Upload a PDF to start chatting');
  });

  it('keeps the focus and sends nothing while an answer is pending', async () => {
    const { user, box } = setUp({ waiting: true });
    await user.click(box);
    await user.keyboard('More?{Enter}');
    expect(document.activeElement).toBe(box);
    expect(box.value).toBe('');
    expect(questions()).toEqual([]);
  });

  it('keeps the question and rejects a file that the server cannot read', async () => {
    api.on(ASK, failure('UNREADABLE_PDF', 'This PDF has no text.'));
    const { user, box, reject } = setUp({ file: new File(['%PDF'], 'scan.pdf'), fileName: null });
    await user.type(box, 'Who?{Enter}');
    await waitFor(() => expect(reject).toHaveBeenCalledWith('This PDF has no text.'));
    expect(box.value).toBe('Who?');
    expect(screen.queryByRole('alert')).toBeNull();
  });
});
