import { setImmediate as turn } from 'node:timers/promises';
import { z } from 'zod';
import { completeJson } from '#libs/ai/complete-json.js';
import { EngineError } from '#libs/contract/engine-error.js';
import type { AiProvider } from '#libs/ai/engine.js';
import { countWords, type Resume } from '#libs/local-engine/resume/resume.js';
import type { RunContext, ToolHandler, ToolOutcome } from '#libs/jobs/tool-handler.js';
import type { EngineName } from '#libs/contract/engine-name.js';
import type * as checkTasks from '#libs/local-engine/resume-checks/thread.js';
import { textThreads } from '#libs/local-engine/threads/text-threads.js';
import { readResume } from '../shared/read-resume.js';
import { createResumeFacts } from './resume-facts.js';
import { createReviewGuard, type ReviewGuard } from './fact-guard.js';
import { repairInstructions, repairMaterial, reviewMessages } from './prompt.js';
import { resumeReview } from './contract.js';

/** Where the bar stands at each step; writing, by far the longest, has nearly all of it. */
const READING_PERCENT = 3;
const WRITING_PERCENT = 10;
const CHECKING_PERCENT = 85;
const FINISHING_PERCENT = 96;

/** Words that a review has, more or less. */
const USUAL_WORDS = 700;
/** Less than this is no review. */
const FEWEST_WORDS = 40;

const repairsSchema = z.object({ lines: z.array(z.object({ number: z.number().int(), text: z.string() })) });

const onCheckThread = textThreads.tasks<typeof checkTasks>(
  import.meta.resolve('#libs/local-engine/resume-checks/thread.js'),
);

export const resumeReviewHandler: ToolHandler<'resume-review'> = {
  async withProvider(_input, provider, context) {
    context.stage('reading', 'Reading your resume', READING_PERCENT);
    const resume = await readResume(context);
    const guard = createReviewGuard(createResumeFacts(resume));

    await write(resume, guard, provider, context);

    context.stage('checking', 'Checking every fact against your resume', CHECKING_PERCENT);
    const repairs =
      guard.rejectedLines.length > 0 ? await askForRepairs(resume, guard, provider, context) : [];
    context.stage('finishing', 'Putting the review together', FINISHING_PERCENT);
    const content = guard.review(repairs);
    if (countWords(content) < FEWEST_WORDS) {
      throw new EngineError('The AI service gave no review that holds against your resume. Try again.', {
        retryable: true,
      });
    }
    return outcome(resume, content, 'openai');
  },

  async offline(_input, context) {
    context.stage('reading', 'Reading your resume', READING_PERCENT);
    const resume = await readResume(context);
    context.stage('checking', 'Going through the checklist', WRITING_PERCENT);
    const parts = await onCheckThread('checklist', { resume, now: new Date() }, context.signal);
    let content = '';
    for (const [index, part] of parts.entries()) {
      // A turn of the event loop, in which a cancellation can arrive and the piece can leave.
      await turn();
      context.signal.throwIfAborted();
      const piece = content ? `\n\n${part}` : part;
      content += piece;
      context.text(piece);
      context.percent(
        WRITING_PERCENT + Math.floor(((FINISHING_PERCENT - WRITING_PERCENT) * (index + 1)) / parts.length),
      );
    }
    return outcome(resume, `${content}\n`, 'offline');
  },
};

/** Streams the review line by line, each once it holds, so that nothing invented is ever shown. */
async function write(
  resume: Resume,
  guard: ReviewGuard,
  provider: AiProvider,
  context: RunContext,
): Promise<void> {
  let words = 0;
  let started = false;
  for await (const piece of provider.streamChat({ messages: reviewMessages(resume) }, context.signal)) {
    if (!started) context.stage('writing', 'Writing the review', WRITING_PERCENT);
    started = true;
    context.text(guard.add(piece));
    words += countWords(piece);
    const share = Math.min(1, words / USUAL_WORDS);
    context.percent(WRITING_PERCENT + Math.floor((CHECKING_PERCENT - 1 - WRITING_PERCENT) * share));
  }
  context.text(guard.end());
}

/** One round: better versions of the lines that invented, by their order. None when the model fails at it. */
async function askForRepairs(
  resume: Resume,
  { rejectedLines }: ReviewGuard,
  provider: AiProvider,
  { signal }: RunContext,
): Promise<string[]> {
  try {
    const { lines } = await completeJson(
      provider,
      {
        name: 'repaired_lines',
        instructions: repairInstructions,
        material: repairMaterial(resume, rejectedLines),
        schema: repairsSchema,
      },
      signal,
    );
    return rejectedLines.map((_, index) => lines.find(({ number }) => number === index + 1)?.text ?? '');
  } catch (error) {
    // The review holds without these lines.
    if (error instanceof EngineError) return [];
    throw error;
  }
}

function outcome(resume: Resume, content: string, engine: EngineName): ToolOutcome<'resume-review'> {
  return {
    result: { content, engine },
    creation: { type: resumeReview.creation.type, prompt: `Resume review of ${resume.fileName}`, content },
  };
}
