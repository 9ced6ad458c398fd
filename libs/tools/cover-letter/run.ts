import type { ToolHandler } from '#libs/jobs/tool-handler.js';
import {
  noMatchingLines,
  nothingSupported,
  readResumeForJob,
  readResumeForJobOffline,
  textForJob,
  withPlainPosting,
  writeClaims,
} from '../shared/resume-claims/text-for-job.js';
import { proofreadResume } from '#libs/local-engine/proofreading/proofread.js';
import type { ChosenStatement, Selection } from '#libs/local-engine/resume-match/choose-statements.js';
import { isEnglishResume } from '#libs/local-engine/resume/languages/detect.js';
import type { Resume } from '#libs/local-engine/resume/resume.js';
import { findInJob } from '../shared/resume-claims/ground-claims.js';
import { NAME_MAX } from '#libs/contract/creations.js';
import { shorten } from '#libs/contract/text.js';
import { coverLetter } from './contract.js';
import { letterSentence } from './letter-sentence.js';
import { letterInstructions, letterSchema } from './prompt.js';
import { renderLetter, type Part, type Sentence } from './render.js';

/** The minimum number of sentences about the applicant. */
const FEWEST_SENTENCES = 2;
const MOST_OWN_LINES = 6;

const creation = { type: coverLetter.creation.type, promptPrefix: 'Cover letter from' };

export const coverLetterHandler: ToolHandler<'cover-letter'> = {
  async withProvider(request, provider, context) {
    const input = withPlainPosting(request);
    const read = await readResumeForJob(input, context);
    const { answer, checked } = await writeClaims(
      {
        name: 'cover_letter',
        instructions: letterInstructions,
        schema: letterSchema,
        kind: 'sentence',
        messages: {
          writing: 'Writing the letter',
          checking: 'Checking each sentence against your resume',
        },
        claimsOf: ({ paragraphs }) => paragraphs.flatMap(({ sentences }) => sentences),
      },
      input,
      read,
      provider,
      context,
    );
    const paragraphAt = answer.paragraphs.flatMap(({ sentences }, paragraph) =>
      sentences.map(() => paragraph),
    );
    const supported = checked.flatMap((sentence, index) =>
      sentence === null ? [] : [{ ...sentence, paragraph: paragraphAt[index]! }],
    );
    if (supported.filter((sentence) => sentence.resume.length > 0).length < FEWEST_SENTENCES)
      throw nothingSupported('letter');
    const parts = Map.groupBy(supported, ({ paragraph }) => paragraph).values();
    const { role, name } = read.selection;
    const content = renderLetter({
      engine: 'openai',
      role: (answer.role && (await roleNamed(answer.role, input.jobDescription, context.signal))) || role,
      name,
      parts: Array.from(parts, (sentences) => ({ sentences })),
      dropped: checked.length - supported.length,
    });
    const displayName = letterName(read.selection);
    return textForJob({ ...creation, displayName, content, engine: 'openai' }, input, read, context);
  },

  async offline(request, context) {
    const input = withPlainPosting(request);
    const read = await readResumeForJobOffline(input, context);
    const { statements, role, name } = read.selection;
    if (statements.length === 0) throw noMatchingLines();
    const lines = await ownLines(read.resume, statements, context.signal);
    const asked = lines.flatMap(({ statement }) => statement.shows.slice(0, 1));
    const names = Array.from(new Set(asked.map((shown) => shown.name))).slice(0, 3);
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
        Map.groupBy(lines, ({ statement }) => statement.position ?? 'My work'),
        ([position, own]): Part => ({ position, lines: own.map(({ sentence }) => sentence) }),
      ),
    ];
    const content = renderLetter({ engine: 'offline', role, name, parts, dropped: 0 });
    const displayName = letterName(read.selection);
    return textForJob({ ...creation, displayName, content, engine: 'offline' }, input, read, context);
  },
};

/** "Cover letter Ada Lovelace, Acme", the title of an exported letter; undefined if neither is known. */
function letterName({ name, employer }: Pick<Selection, 'name' | 'employer'>): string | undefined {
  const known = [name, employer].filter((part) => part !== null);
  return known.length === 0 ? undefined : shorten(`Cover letter ${known.join(', ')}`, NAME_MAX);
}

interface OwnLine {
  statement: ChosenStatement;
  sentence: Sentence;
}

/** The lines of a resume for a letter. Lines that a review criticises are worded anew, or come after the others. */
async function ownLines(
  resume: Resume,
  statements: readonly ChosenStatement[],
  signal: AbortSignal,
): Promise<OwnLine[]> {
  const words = isEnglishResume(resume.text) ? await proofreadResume(resume, signal) : undefined;
  return statements
    .map((statement) => {
      const { text, page, shows } = statement;
      const own = { text, isReplaced: false };
      const { isReplaced, ...worded } =
        words === undefined ? own : letterSentence(statement, words?.faults ?? []);
      const sentence = { ...worded, resume: [{ text, page }], job: shows[0]?.quote ?? null };
      return { statement, sentence, isReplaced };
    })
    .sort((a, b) => Number(a.isReplaced) - Number(b.isReplaced))
    .filter(
      ({ sentence }, index, all) => all.findIndex((one) => one.sentence.text === sentence.text) === index,
    )
    .slice(0, MOST_OWN_LINES);
}

/** The role that the model named, in the job description's words; null if the job description does not mention the role. */
async function roleNamed(role: string, jobDescription: string, signal: AbortSignal) {
  const title = await findInJob(role, jobDescription, signal);
  return title === null ? null : { title, quote: title };
}
