import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { completeJson } from '#libs/ai/complete-json.js';
import { EngineError, type EngineName } from '#libs/contract/engine.js';
import type { AiProvider } from '#libs/ai/engine.js';
import { countWords, type Resume } from '#libs/local-engine/resume/resume.js';
import type { RunContext, ToolHandler, ToolOutcome } from '#libs/jobs/tool-handler.js';
import type * as checkTasks from '#libs/local-engine/resume-checks/thread.js';
import { languageSection } from '#libs/local-engine/proofreading/language-section.js';
import { proofreadResume } from '#libs/local-engine/proofreading/proofread.js';
import { textThreads } from '#libs/local-engine/threads/text-threads.js';
import { readResume } from '../shared/read-resume.js';
import { secondTry } from '../shared/second-try.js';
import { yieldToEventLoop } from '../shared/yield-to-event-loop.js';
import type { RejectedLine } from './fact-guard.js';
import type * as reviewTasks from './thread.js';
import { repairInstructions, repairMaterial, reviewMessages } from './prompt.js';
import { resumeReview } from './contract.js';

/** The job's progress at the start of each step. */
const READING_PERCENT = 3;
const WRITING_PERCENT = 10;
const CHECKING_PERCENT = 85;
const FINISHING_PERCENT = 92;

/** The usual length of a review in words, to estimate the progress. */
const USUAL_WORDS = 700;
/** Shorter answers are rejected, because they are not reviews. */
const MIN_WORDS = 40;

const repairsSchema = z.object({ lines: z.array(z.object({ number: z.number().int(), text: z.string() })) });

const onCheckThread = textThreads.tasks<typeof checkTasks>(
  import.meta.resolve('#libs/local-engine/resume-checks/thread.js'),
);

const onReviewThread = textThreads.tasks<typeof reviewTasks>(
  import.meta.resolve('#libs/tools/resume-review/thread.js'),
);

export const resumeReviewHandler: ToolHandler<'resume-review'> = {
  async withProvider({ language }, provider, context) {
    context.stage('reading', 'Reading your resume', READING_PERCENT);
    const { resume, notice } = await readResume(context, language);
    const { answer, shown, rejectedLines } = await write(resume, provider, context);

    context.stage('checking', 'Checking every fact against your resume', CHECKING_PERCENT);
    const repairs =
      rejectedLines.length > 0 ? await askForRepairs(resume, rejectedLines, provider, context) : [];
    context.stage('finishing', 'Putting the review together', FINISHING_PERCENT);
    const content = await onReviewThread('review', { ...answer, repairs }, context.signal);
    if (countWords(content) < MIN_WORDS) {
      throw new EngineError('The AI service gave no review that holds against your resume. Try again.', {
        retryable: true,
      });
    }
    return outcome(resume, { content, shown, notice }, 'openai', context);
  },

  async offline({ language }, context) {
    context.stage('reading', 'Reading your resume', READING_PERCENT);
    const { resume, notice } = await readResume(context, language);
    context.stage('checking', 'Going through the checklist', WRITING_PERCENT);
    const parts = await onCheckThread('writeChecklist', { resume, now: new Date() }, context.signal);
    let content = '';
    for (const [index, part] of parts.entries()) {
      await yieldToEventLoop(context.signal);
      const piece = content ? `\n\n${part}` : part;
      content += piece;
      context.text(piece);
      context.percent(
        WRITING_PERCENT + Math.floor(((FINISHING_PERCENT - WRITING_PERCENT) * (index + 1)) / parts.length),
        { done: index + 1, total: parts.length, unit: 'parts' },
      );
    }
    return outcome(resume, { content: `${content}\n`, shown: content, notice }, 'offline', context);
  },
};

/** Streams each line of the review after the guard has checked it, so unsupported facts are never shown. */
async function write(
  resume: Resume,
  provider: AiProvider,
  context: RunContext,
): Promise<{ answer: reviewTasks.ReviewSoFar; shown: string; rejectedLines: RejectedLine[] }> {
  const { signal } = context;
  const answer = { id: randomUUID(), resume, written: '' };
  let sent = 0;
  let read = 0;
  let words = 0;
  const publish = (shown: string) => {
    context.text(shown.slice(sent));
    sent = shown.length;
  };
  for await (const piece of provider.streamChat({ messages: reviewMessages(resume) }, signal)) {
    if (!answer.written) context.stage('writing', 'Writing the review', WRITING_PERCENT);
    answer.written += piece;
    // The guard checks whole lines, so call it only when a line is complete.
    if (piece.includes('\n') && answer.written.slice(read).trim() !== '') {
      read = answer.written.length;
      publish(await onReviewThread('read', answer, signal));
    }
    words += countWords(piece);
    const share = Math.min(1, words / USUAL_WORDS);
    context.percent(WRITING_PERCENT + Math.floor((CHECKING_PERCENT - 1 - WRITING_PERCENT) * share));
  }
  const { shown, rejectedLines } = await onReviewThread('end', answer, signal);
  publish(shown);
  return { answer, shown, rejectedLines };
}

/** Asks the model once to repair the rejected lines. Returns them in the same order; empty if the model fails. */
async function askForRepairs(
  resume: Resume,
  rejectedLines: RejectedLine[],
  provider: AiProvider,
  { signal }: RunContext,
): Promise<string[]> {
  const request = {
    name: 'repaired_lines',
    instructions: repairInstructions,
    material: repairMaterial(resume, rejectedLines),
    schema: repairsSchema,
  };
  const { lines } = await secondTry(() => completeJson(provider, request, signal), { lines: [] });
  return rejectedLines.map((_, index) => lines.find(({ number }) => number === index + 1)?.text ?? '');
}

/** Appends a section with the language mistakes of the resume to the review. */
async function outcome(
  resume: Resume,
  review: { content: string; shown: string; notice: string | null },
  engine: EngineName,
  context: RunContext,
): Promise<ToolOutcome<'resume-review'>> {
  context.stage('proofreading', 'Checking spelling and grammar', FINISHING_PERCENT);
  const proofreading = await proofreadResume(resume, context.signal);
  // The section is in English and the model's review may not be, so append it only if there are mistakes.
  const isNeeded = engine === 'offline' || !proofreading || proofreading.faults.length > 0;
  const section = isNeeded ? `\n${languageSection(proofreading)}\n` : '';
  const content = review.content + section;
  // If a repair changed streamed text, don't append: clients replace the text by the result.
  if (content.startsWith(review.shown)) context.text(content.slice(review.shown.length));
  return {
    result: { content, engine, proofreading, notice: review.notice },
    creation: { type: resumeReview.creation.type, prompt: `Resume review of ${resume.fileName}`, content },
  };
}
