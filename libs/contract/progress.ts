import { z } from 'zod';

/** What is counted, of a total that is known. */
export const measureSchema = z.object({
  done: z.number().min(0),
  total: z.number().min(0),
  unit: z.enum(['bytes', 'pages', 'words', 'titles', 'parts', 'passages', 'tiles', 'steps']),
});
export type Measure = z.infer<typeof measureSchema>;

/** Between which seconds the middle half of the recent runs took. */
export const expectationSchema = z.object({ from: z.number().min(0), to: z.number().min(0) });
export type Expectation = z.infer<typeof expectationSchema>;

export const progressSchema = z.object({
  percent: z.number().min(0).max(100).meta({
    description:
      'How far the job is. It never goes back, in a new attempt neither; while estimated it stays at 95 or below.',
  }),
  kind: z.enum(['measured', 'estimated']).meta({
    description:
      '`measured`: the percentage follows `measure`. `estimated`: it follows the time since the start, by `expectedSeconds`.',
  }),
  measure: measureSchema.nullable().meta({ description: 'What has been done of what there is to do.' }),
  elapsedSeconds: z
    .number()
    .min(0)
    .nullable()
    .meta({ description: 'Since the job was first started; of an ended job, until its end.' }),
  expectedSeconds: expectationSchema.nullable().meta({
    description:
      'How long the last runs of this tool, by the same engine and of about the same size, usually took. Null with fewer than five of them.',
  }),
  stage: z.string().meta({ description: 'The step the work is in: a short stable word, such as `writing`.' }),
  message: z.string().meta({ description: 'The step in words for the user.' }),
});
export type Progress = z.infer<typeof progressSchema>;

/** No estimate says more. */
export const MAX_ESTIMATE = 95;
/** Reached when most runs would have ended; from then on the estimate only approaches its maximum. */
const ESTIMATE_AT_END = 90;
/** Shorter runs are over before a bar could move. */
const MIN_EXPECTED_SECONDS = 1;

/** The percentage to expect so many seconds after the start. It grows with the time, and with nothing else. */
export function estimatePercent(elapsedSeconds: number, expected: Expectation | null): number {
  if (!expected) return 0;
  const share = Math.max(0, elapsedSeconds) / Math.max(expected.to, MIN_EXPECTED_SECONDS);
  return share <= 1
    ? ESTIMATE_AT_END * share
    : MAX_ESTIMATE - (MAX_ESTIMATE - ESTIMATE_AT_END) * Math.exp(1 - share);
}

/** The percentage of a progress some seconds after its start. */
export const percentAfter = (
  { percent, kind, expectedSeconds }: Pick<Progress, 'percent' | 'kind' | 'expectedSeconds'>,
  elapsedSeconds: number | null,
): number =>
  kind === 'measured' || elapsedSeconds === null
    ? percent
    : Math.max(percent, estimatePercent(elapsedSeconds, expectedSeconds));
