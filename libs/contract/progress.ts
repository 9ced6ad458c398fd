import { z } from 'zod';

/** Measured progress: the amount of work done, and the total. */
export const measureSchema = z.object({
  done: z.number().min(0),
  total: z.number().min(0),
  unit: z.enum(['bytes', 'pages', 'words', 'titles', 'parts', 'passages', 'tiles', 'steps']),
});
export type Measure = z.infer<typeof measureSchema>;

/** Expected duration in seconds: the first and third quartiles of recent runs. */
export const expectationSchema = z.object({ from: z.number().min(0), to: z.number().min(0) });
export type Expectation = z.infer<typeof expectationSchema>;

export const progressSchema = z.object({
  percent: z.number().min(0).max(100).meta({
    description: 'It never decreases, not even in a new attempt. An estimate is at most 95.',
  }),
  kind: z.enum(['measured', 'estimated']).meta({
    description:
      '`measured`: the percentage follows `measure`. `estimated`: it follows the time since the start, by `expectedSeconds`.',
  }),
  measure: measureSchema.nullable().meta({ description: 'The work done so far.' }),
  elapsedSeconds: z
    .number()
    .min(0)
    .nullable()
    .meta({ description: 'From the first start until now, or until the job ended.' }),
  expectedSeconds: expectationSchema.nullable().meta({
    description:
      'The usual duration of this tool’s recent runs by the same engine and of about the same size. Null with fewer than five runs.',
  }),
  stage: z.string().meta({ description: 'The current step: a short stable word, such as `writing`.' }),
  message: z.string().meta({ description: 'The current step, in words for the user.' }),
});
export type Progress = z.infer<typeof progressSchema>;

export const MAX_ESTIMATE = 95;
/** The estimate at the upper end of the expected duration. Later estimates approach `MAX_ESTIMATE`. */
const ESTIMATE_AT_END = 90;
/** Shorter expectations are raised to this, so that a progress bar does not jump. */
const MIN_EXPECTED_SECONDS = 1;

/** Estimates the percentage from the elapsed time alone; 0 without an expected duration. */
export function estimatePercent(elapsedSeconds: number, expected: Expectation | null): number {
  if (!expected) return 0;
  const share = Math.max(0, elapsedSeconds) / Math.max(expected.to, MIN_EXPECTED_SECONDS);
  return share <= 1
    ? ESTIMATE_AT_END * share
    : MAX_ESTIMATE - (MAX_ESTIMATE - ESTIMATE_AT_END) * Math.exp(1 - share);
}

/**
 * The percentage to show while time passes after the latest update of the progress.
 * @param elapsedSeconds since the job's start; null if unknown
 */
export const percentAfter = (
  { percent, kind, expectedSeconds }: Pick<Progress, 'percent' | 'kind' | 'expectedSeconds'>,
  elapsedSeconds: number | null,
): number =>
  kind === 'measured' || elapsedSeconds === null
    ? percent
    : Math.max(percent, estimatePercent(elapsedSeconds, expectedSeconds));
