import { createHash } from 'node:crypto';
import { completeJson } from '#libs/ai/complete-json.js';
import type { AiProvider } from '#libs/ai/engine.js';
import { AppError } from '#libs/contract/errors.js';
import type { Resume } from '#libs/local-engine/resume/resume.js';
import type { ToolHandler, ToolOutcome } from '#libs/jobs/tool-handler.js';
import { EngineError, type EngineName } from '#libs/contract/engine.js';
import { textThreads } from '#libs/local-engine/threads/text-threads.js';
import { readResume } from '../shared/read-resume.js';
import type { AtsResult } from './contract.js';
import type * as matchTasks from '#libs/local-engine/resume-match/thread.js';
import { atsInstructions, atsMaterial, extractionSchema, PROMPT_VERSION } from './prompt.js';
import { calculateAtsScore } from './contract.js';
import { postingText } from '#libs/local-engine/resume-match/posting-text.js';
import { renderReport } from './report.js';
import { resultOf } from '#libs/local-engine/resume-match/result.js';
import type * as verificationTasks from './thread.js';

const READING_PERCENT = 5;
const COMPARING_PERCENT = 20;
const SCORING_PERCENT = 90;

const onMatchThread = textThreads.tasks<typeof matchTasks>(
  import.meta.resolve('#libs/local-engine/resume-match/thread.js'),
);

const onVerificationThread = textThreads.tasks<typeof verificationTasks>(
  import.meta.resolve('#libs/tools/calculate-ats-score/thread.js'),
);

export const atsHandler: ToolHandler<'calculate-ats-score'> = {
  async withProvider({ jobDescription: description, language }, provider, context) {
    const jobDescription = postingText(description);
    context.stage('reading', 'Reading your resume', READING_PERCENT);
    const { resume, notice } = await readResume(context, language);
    const { signal } = context;
    const own = await onMatchThread('original', { resume, jobDescription }, signal);

    context.stage('comparing', 'Comparing it with the job description', COMPARING_PERCENT);
    // A model's answers vary, so the first answer is stored and reused for the same texts.
    const { skills, suggestions } = await context.once(keyOf(resume, jobDescription, provider), async () => {
      const request = {
        name: 'ats_comparison',
        instructions: atsInstructions,
        material: atsMaterial(own.pages.join('\n\n'), jobDescription),
        schema: extractionSchema,
      };
      const extraction = await completeJson(provider, request, signal);
      const found = await onVerificationThread(
        'verifyExtraction',
        { extraction, own, jobDescription },
        signal,
      );
      // An answer that cannot be used is not stored: the next one may be better.
      if (found.skills.length === 0) throw unusableAnswer();
      return found;
    });
    const requirements = await onMatchThread(
      'requirements',
      { resume, jobDescription, now: new Date() },
      signal,
    );

    context.stage('scoring', 'Checking the evidence and computing the score', SCORING_PERCENT);
    const content = resultOf({ skills, suggestions, requirements }, own);
    return outcome(resume, jobDescription, content, 'openai', notice);
  },

  async offline({ jobDescription: description, language }, context) {
    const jobDescription = postingText(description);
    context.stage('reading', 'Reading your resume', READING_PERCENT);
    const { resume, notice } = await readResume(context, language);
    context.stage('comparing', 'Comparing it with the job description', COMPARING_PERCENT);
    const compared = await onMatchThread(
      'compare',
      { resume, jobDescription, now: new Date() },
      context.signal,
    );
    if (compared.limits !== null) throw new AppError('ENGINE_CANNOT', compared.limits);
    context.stage('scoring', 'Computing the score', SCORING_PERCENT);
    return outcome(resume, jobDescription, compared.content, 'offline', notice);
  },
};

/** The cache key of a comparison: a hash of both texts, the model and the prompt's version. */
const keyOf = (resume: Resume, jobDescription: string, { textModel }: AiProvider) =>
  createHash('sha256')
    .update(JSON.stringify([PROMPT_VERSION, textModel, resume.text, jobDescription]))
    .digest('hex');

const unusableAnswer = () =>
  new EngineError(
    'The answer of the AI service could not be used: it named no skill that stands in the job description. Try again.',
    { retryable: false },
  );

function outcome(
  resume: Resume,
  jobDescription: string,
  content: AtsResult | null,
  engine: EngineName,
  notice: string | null,
): ToolOutcome<'calculate-ats-score'> {
  if (!content) {
    throw new AppError(
      'VALIDATION_FAILED',
      'No skills or requirements were found in this job description. Paste its whole text and try again.',
      { details: [{ field: 'jobDescription', message: 'No skills or requirements were found in it.' }] },
    );
  }
  return {
    result: { content, engine, notice },
    creation: {
      type: calculateAtsScore.creation.type,
      prompt: `ATS score of ${resume.fileName}`,
      content: renderReport(content, engine, notice),
      settings: { jobDescription },
    },
  };
}
