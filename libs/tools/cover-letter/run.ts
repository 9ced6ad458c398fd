import { completeJson } from '#libs/ai/complete-json.js';
import { EngineError } from '#libs/contract/engine-error.js';
import type { RunContext, ToolHandler, ToolOutcome } from '#libs/jobs/tool-handler.js';
import type { Resume } from '#libs/local-engine/resume/resume.js';
import type { ToolInput } from '../catalogue.js';
import { noLineAnswers, readResumeForJob } from '../shared/read-resume-for-job.js';
import { findInJob, groundClaims, resumeAndJob } from '../shared/resume-claims/ground-claims.js';
import { streamParagraphs } from '../shared/stream-paragraphs.js';
import { coverLetter } from './contract.js';
import { letterInstructions, letterSchema } from './prompt.js';
import { renderLetter, type Part } from './render.js';

const WRITING_PERCENT = 25;
const CHECKING_PERCENT = 75;
const FINISHING_PERCENT = 92;

/** Fewer sentences about the applicant are no letter. */
const FEWEST_SENTENCES = 2;
const MOST_OWN_LINES = 6;

export const coverLetterHandler: ToolHandler<'cover-letter'> = {
  async withProvider(input, provider, context) {
    const { jobDescription } = input;
    const { signal } = context;
    const { resume, notice, selection } = await readResumeForJob(input, context);
    context.stage('writing', 'Writing the letter', WRITING_PERCENT);
    const { role, paragraphs } = await completeJson(
      provider,
      {
        name: 'cover_letter',
        instructions: letterInstructions,
        material: resumeAndJob(resume, jobDescription),
        schema: letterSchema,
      },
      signal,
    );
    context.stage('checking', 'Checking each sentence against your resume', CHECKING_PERCENT);
    const asked = paragraphs.flatMap(({ sentences }, paragraph) =>
      sentences.map((claim) => ({ claim, paragraph })),
    );
    const checked = await groundClaims(
      asked.map(({ claim }) => claim),
      { resume, jobDescription, kind: 'sentence' },
      provider,
      signal,
    );
    const kept = checked.flatMap((sentence, index) =>
      sentence === null ? [] : [{ ...sentence, paragraph: asked[index]!.paragraph }],
    );
    if (kept.filter((sentence) => sentence.resume.length > 0).length < FEWEST_SENTENCES) {
      throw new EngineError('The AI service gave no letter that your resume supports. Try again.', {
        retryable: true,
      });
    }
    const parts = Map.groupBy(kept, ({ paragraph }) => paragraph).values();
    const content = renderLetter({
      engine: 'openai',
      role: (role && (await roleNamed(role, jobDescription, signal))) || selection.role,
      name: selection.name,
      parts: Array.from(parts, (sentences) => ({ sentences })),
      dropped: checked.length - kept.length,
    });
    return outcome(resume, input, { content, engine: 'openai', notice }, context);
  },

  async offline(input, context) {
    const { resume, notice, selection } = await readResumeForJob(input, context);
    if (selection.statements.length === 0) throw noLineAnswers();
    const lines = selection.statements.slice(0, MOST_OWN_LINES);
    const asked = lines.flatMap(({ shows }) => shows.slice(0, 1));
    const names = Array.from(new Set(asked.map(({ name }) => name))).slice(0, 3);
    const parts: Part[] = [
      {
        sentences: [
          {
            text: `Your description asks for ${new Intl.ListFormat('en-GB').format(names)}. These lines of my work answer it:`,
            resume: [],
            job: Array.from(new Set(asked.map(({ quote }) => quote)))
              .slice(0, 3)
              .join(' … '),
          },
        ],
      },
      ...Array.from(
        Map.groupBy(lines, ({ position }) => position ?? 'My work'),
        ([position, own]): Part => ({
          position,
          lines: own.map(({ text, page, shows }) => ({
            text,
            resume: [{ text, page }],
            job: shows[0]?.quote ?? null,
          })),
        }),
      ),
    ];
    const { role, name } = selection;
    const content = renderLetter({ engine: 'offline', role, name, parts, dropped: 0 });
    return outcome(resume, input, { content, engine: 'offline', notice }, context);
  },
};

/** The role that a model names, in the words of the job description; null where that does not have it. */
async function roleNamed(role: string, jobDescription: string, signal: AbortSignal) {
  const title = await findInJob(role, jobDescription, signal);
  return title === null ? null : { title, quote: title };
}

async function outcome(
  resume: Resume,
  { jobDescription }: ToolInput<'cover-letter'>,
  result: ToolOutcome<'cover-letter'>['result'],
  context: RunContext,
): Promise<ToolOutcome<'cover-letter'>> {
  context.stage('finishing', 'Putting the letter together', FINISHING_PERCENT);
  const { content } = result;
  await streamParagraphs(content, context);
  return {
    result,
    creation: {
      type: coverLetter.creation.type,
      prompt: `Cover letter from ${resume.fileName}`,
      content,
      settings: { jobDescription },
    },
  };
}
