import { z } from 'zod';
import { AppError } from './errors.js';
import { because, isStorable } from './text.js';

/**
 * `open`: users publish at once. `review`: what they publish waits until an operator approves it. `off`: nothing more is
 * published.
 */
export const publishingModes = ['open', 'review', 'off'] as const;
export type PublishingMode = (typeof publishingModes)[number];

export const publishingIsOff = () =>
  new AppError(
    'FORBIDDEN',
    'Publishing is switched off on this server. What you make stays private. Leave “publish” out.',
  );

export const reportReasons = {
  sexual: 'Nudity or sexual content',
  violence: 'Violence or gore',
  hate: 'Hate or harassment',
  person: 'Shows a person without consent',
  rights: 'Infringes a copyright or trademark',
  illegal: 'Illegal or dangerous',
  spam: 'Spam or advertising',
  other: 'Something else',
} as const;
export type ReportReason = keyof typeof reportReasons;

export const REPORT_WORDS_MAX = 500;
export const APPEAL_MAX = 1_000;
/** Maximum number of pictures that a user may report within 24 hours. */
export const REPORTS_PER_DAY = 20;

const storable = (max: number, message: string) =>
  z.string(message).trim().max(max, message).refine(isStorable, message);

const REPORT_WORDS = `Describe it with at most ${REPORT_WORDS_MAX} characters.`;
export const reportSchema = z
  .object({
    reason: z.enum(Object.keys(reportReasons) as [ReportReason, ...ReportReason[]], {
      error: 'Choose one of the reasons.',
    }),
    words: storable(REPORT_WORDS_MAX, REPORT_WORDS).default('').meta({
      description: 'More about it, for whoever runs the server. Needed with the reason `other`.',
    }),
  })
  .refine(({ reason, words }) => reason !== 'other' || words !== '', {
    message: 'Say in a few words what is wrong with it.',
    path: ['words'],
  });
export type Report = z.infer<typeof reportSchema>;

const APPEAL = `Write an answer of up to ${APPEAL_MAX} characters.`;
export const appealSchema = z.object({ text: storable(APPEAL_MAX, APPEAL).pipe(z.string().min(1, APPEAL)) });

export type ModerationState = 'waiting' | 'refused' | 'hidden';

/**
 * Why a creation is in its state: `review`: an operator looks at every picture. `unavailable`: the automatic check did not
 * answer. `changed`: a published picture was changed. `check`: the automatic check. `reports`: reports of users. `operator`:
 * a decision of an operator.
 */
export const moderationCauses = ['review', 'unavailable', 'changed', 'check', 'reports', 'operator'] as const;
export type ModerationCause = (typeof moderationCauses)[number];

export const moderationSchema = z
  .object({
    state: z.enum(['waiting', 'refused', 'hidden']).meta({
      description:
        '`waiting`: it becomes public when an operator approves it. `refused`: it was not published. `hidden`: it was public.',
    }),
    reason: z.string().meta({ description: 'Why, as a sentence for its user.' }),
    canAppeal: z.boolean().meta({ description: 'Whether its user may answer the decision now.' }),
    appeal: z.string().nullable().meta({ description: 'The answer of its user.' }),
  })
  .meta({ id: 'Moderation' });

const sentences: Record<ModerationCause, (reason: string | null) => string> = {
  review: () => 'Whoever runs this server looks at every picture before it becomes public.',
  unavailable: () =>
    'The automatic check of pictures did not answer, so whoever runs this server looks at it first.',
  changed: () => 'It was changed after it was published, so it is checked again first.',
  check: () => 'The automatic check found something that may not be published here.',
  reports: (reason) => `Users reported it${because(reason)}`,
  operator: (reason) => `Whoever runs this server decided so${because(reason)}`,
};

/** Tells the owner of a picture why it is not public. Never says who reported it. */
export const moderationReason = (cause: ModerationCause, reason: string | null): string =>
  sentences[cause](reason);
