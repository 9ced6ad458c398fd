import { completeJson } from '#libs/ai/complete-json.js';
import { EngineError } from '#libs/contract/engine-error.js';
import type { RunContext, ToolHandler, ToolOutcome } from '#libs/jobs/tool-handler.js';
import type { Resume } from '#libs/local-engine/resume/resume.js';
import type { ToolInput } from '../catalogue.js';
import { noLineAnswers, readResumeForJob } from '../shared/read-resume-for-job.js';
import { groundClaims, resumeAndJob } from '../shared/resume-claims/ground-claims.js';
import { streamParagraphs } from '../shared/stream-paragraphs.js';
import { bulletsInstructions, bulletsSchema } from './prompt.js';
import { tailoredBullets } from './contract.js';
import { renderBullets, type Bullet } from './render.js';

const WRITING_PERCENT = 25;
const CHECKING_PERCENT = 75;
const FINISHING_PERCENT = 92;

export const tailoredBulletsHandler: ToolHandler<'tailored-bullets'> = {
  async withProvider(input, provider, context) {
    const { jobDescription } = input;
    const { signal } = context;
    const { resume, notice, selection } = await readResumeForJob(input, context);
    context.stage('writing', 'Wording the bullets', WRITING_PERCENT);
    const { bullets } = await completeJson(
      provider,
      {
        name: 'tailored_bullets',
        instructions: bulletsInstructions,
        material: resumeAndJob(resume, jobDescription),
        schema: bulletsSchema,
      },
      signal,
    );
    context.stage('checking', 'Checking each line against your resume', CHECKING_PERCENT);
    const checked = await groundClaims(bullets, { resume, jobDescription, kind: 'bullet' }, provider, signal);
    const kept = checked.filter((claim) => claim !== null);
    if (kept.length === 0) {
      throw new EngineError('The AI service gave no line that your resume supports. Try again.', {
        retryable: true,
      });
    }
    const content = renderBullets(kept, selection.missing, {
      engine: 'openai',
      dropped: checked.length - kept.length,
    });
    return outcome(resume, input, { content, engine: 'openai', notice }, context);
  },

  async offline(input, context) {
    const { resume, notice, selection } = await readResumeForJob(input, context);
    if (selection.statements.length === 0) throw noLineAnswers();
    const bullets = selection.statements.map(({ text, page, position, shows }): Bullet => ({
      text,
      resume: [{ text, page }],
      job: shows[0]?.quote ?? null,
      position,
    }));
    const content = renderBullets(bullets, selection.missing, { engine: 'offline', dropped: 0 });
    return outcome(resume, input, { content, engine: 'offline', notice }, context);
  },
};

async function outcome(
  resume: Resume,
  { jobDescription }: ToolInput<'tailored-bullets'>,
  result: ToolOutcome<'tailored-bullets'>['result'],
  context: RunContext,
): Promise<ToolOutcome<'tailored-bullets'>> {
  context.stage('finishing', 'Putting the lines in order', FINISHING_PERCENT);
  const { content } = result;
  await streamParagraphs(content, context);
  return {
    result,
    creation: {
      type: tailoredBullets.creation.type,
      prompt: `Tailored bullets of ${resume.fileName}`,
      content,
      settings: { jobDescription },
    },
  };
}
