/** @jest-environment ./test/web/dom-environment.mjs */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { Link, Route, Routes } from 'react-router-dom';
import { buildCreation } from '../../../../../test/web/build-creation';
import { buildJob } from '../../../../../test/web/build-job';
import { renderInApp } from '../../../../../test/web/render-in-app';
import { stubApi } from '../../../../../test/web/stub-api';
import { ResumeJobForm } from './resume-job-form';

const EARLIER = '11111111-1111-4111-8111-111111111111';
const api = stubApi();

describe('the form of a resume and a job, opened from an earlier result', () => {
  beforeEach(() => {
    api.on('GET /api/user/creations/:id', {
      creation: buildCreation({
        id: EARLIER,
        type: 'cover-letter',
        content:
          '# Cover letter\n\nDear hiring team,\n\n- Built Go services\n\n## What this rests on\n\n1. “Go”\n',
      }),
      sources: [],
    });
  });

  async function openForm(tool: 'cover-letter' | 'calculate-ats-score') {
    const submitted: (string | undefined)[] = [];
    api.on(`POST /api/ai/${tool}`, () =>
      Response.json({ success: true, job: buildJob({ tool }) }, { status: 202 }),
    );
    const { user } = renderInApp(
      <Routes>
        <Route
          path="/"
          element={
            <Link
              to="/form"
              state={{ isRepeat: true, earlierId: EARLIER, fill: { jobDescription: 'Go is needed.' } }}
            >
              Again
            </Link>
          }
        />
        <Route
          path="/form"
          element={
            <ResumeJobForm
              tool={tool}
              label="Form"
              submit="Send"
              onSubmitted={(_, beside) => submitted.push(beside)}
            />
          }
        />
      </Routes>,
    );
    await user.click(screen.getByRole('link', { name: 'Again' }));
    await screen.findByText('Choose your resume again');
    await user.upload(
      screen.getByLabelText(/Resume/),
      new File(['%PDF-1.7'], 'cv.pdf', { type: 'application/pdf' }),
    );
    return {
      user,
      /** Clicks Send and waits for the callback. @returns the submitted fields */
      send: async () => {
        await user.click(screen.getByRole('button', { name: 'Send' }));
        await waitFor(() => expect(submitted).toEqual([EARLIER]));
        const sent = api.requests.find(({ method }) => method === 'POST')!.body as FormData;
        return Object.fromEntries([...sent].filter(([name]) => name !== 'resume'));
      },
    };
  }

  it('sends the lines of the earlier text, so that other lines come first', async () => {
    const { send } = await openForm('cover-letter');
    await screen.findByRole('checkbox', { name: 'Start with different lines of my resume' });
    expect(await send()).toEqual({
      jobDescription: 'Go is needed.',
      exclude: 'Dear hiring team,\n\n- Built Go services\n',
    });
  });

  it('can put the best lines first again', async () => {
    const { user, send } = await openForm('cover-letter');
    await user.click(await screen.findByRole('checkbox', { name: /^Start with different lines/ }));
    expect(await send()).toEqual({ jobDescription: 'Go is needed.' });
  });

  it('says that a score is the same until an input changes', async () => {
    const { send } = await openForm('calculate-ats-score');
    await screen.findByText(/The same resume gets the same score for the same job/);
    expect(screen.queryByRole('checkbox')).toBeNull();
    expect(await send()).toEqual({ jobDescription: 'Go is needed.' });
  });
});
