import { expect, it } from '@jest/globals';
import { allowTimeForPrograms } from '../../../test/support/time-limits.js';
import { correctText, proofreadText } from './proofread.js';

// Loading the checker computes for seconds.
allowTimeForPrograms();

const TEXT = 'He go to school every day.';

it('continues to load the checker after the job that started it is cancelled', async () => {
  const [controller, other] = [new AbortController(), new AbortController()];
  const cancelled = proofreadText(TEXT, controller.signal);
  const waiting = correctText(TEXT, other.signal);
  controller.abort(new Error('cancelled'));
  await expect(cancelled).rejects.toThrow('cancelled');
  expect(await waiting).toEqual({ text: 'He goes to school every day.', corrections: 1 });
  await expect(proofreadText(TEXT, AbortSignal.abort(new Error('late')))).rejects.toThrow('late');
  expect((await proofreadText(TEXT, other.signal))?.faults).toHaveLength(1);
});
