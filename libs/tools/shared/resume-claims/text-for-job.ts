import type { z } from 'zod';
import { completeJson } from '#libs/ai/complete-json.js';
import type { AiProvider } from '#libs/ai/engine.js';
import { EngineError, type EngineName } from '#libs/contract/engine.js';
import { AppError } from '#libs/contract/errors.js';
import type { RunContext } from '#libs/jobs/tool-handler.js';
import type { Selection } from '#libs/local-engine/resume-match/choose-statements.js';
import { postingText } from '#libs/local-engine/resume-match/posting-text.js';
import type * as matchTasks from '#libs/local-engine/resume-match/thread.js';
import { textThreads } from '#libs/local-engine/threads/text-threads.js';
import type { ToolInput } from '../../catalogue.js';
import { delimit } from '../delimit.js';
import { readResume, type ReadResume } from '../read-resume.js';
import { yieldToEventLoop } from '../yield-to-event-loop.js';
import { groundClaims, resumeAndJob } from './ground-claims.js';
import type { Claim, ClaimKind, GroundedClaim } from './judge-claims.js';

// Shared by the tools that write a text for a job from a resume alone.

type Input = ToolInput<'cover-letter' | 'tailored-bullets'>;

const READING_PERCENT = 3;
const COMPARING_PERCENT = 15;
const WRITING_PERCENT = 25;
const CHECKING_PERCENT = 75;
const FINISHING_PERCENT = 92;

const onMatchThread = textThreads.tasks<typeof matchTasks>(
  import.meta.resolve('#libs/local-engine/resume-match/thread.js'),
);

/** The input with the job description as plain text, if it was HTML. */
export const withPlainPosting = (input: Input): Input => ({
  ...input,
  jobDescription: postingText(input.jobDescription),
});

type ReadForJob = ReadResume & { selection: Selection };

/** Reads the resume of a request, and finds the parts of it that answer the job. */
export const readResumeForJob = async (input: Input, context: RunContext): Promise<ReadForJob> =>
  compare(await read(input, context), input, context);

/** Like {@link readResumeForJob}, for this server. @throws AppError for a language that it does not read */
export async function readResumeForJobOffline(input: Input, context: RunContext): Promise<ReadForJob> {
  const found = await read(input, context);
  const request = { resume: found.resume, jobDescription: input.jobDescription };
  const limits = await onMatchThread('limits', request, context.signal);
  if (limits !== null) throw new AppError('ENGINE_CANNOT', limits);
  return compare(found, input, context);
}

function read({ language }: Input, context: RunContext): Promise<ReadResume> {
  context.stage('reading', 'Reading your resume', READING_PERCENT);
  return readResume(context, language);
}

async function compare(
  found: ReadResume,
  { jobDescription, exclude }: Input,
  context: RunContext,
): Promise<ReadForJob> {
  context.stage('comparing', 'Comparing it with the job description', COMPARING_PERCENT);
  const request = { resume: found.resume, jobDescription, exclude };
  return { ...found, selection: await onMatchThread('choose', request, context.signal) };
}

export const noMatchingLines = () =>
  new AppError(
    'ENGINE_CANNOT',
    'No line of your resume names what this job description asks for, so there is nothing to choose from. Calculate the ATS score to see what is missing, and say in your lines what you worked with.',
  );

interface Writing<Schema extends z.ZodType> {
  name: string;
  instructions: string;
  schema: Schema;
  kind: ClaimKind;
  messages: { writing: string; checking: string };
  claimsOf: (answer: z.infer<Schema>) => Claim[];
}

const OTHERS =
  'The applicant has the text between <known_text> tags already, from an earlier run. Write another: rest it on other lines of the resume first, and say in other words what is taken up again. It is no source of facts.';

/** Lets a model write. @returns its answer, and the answer's claims in order, with null for unsupported claims */
export async function writeClaims<Schema extends z.ZodType>(
  { name, instructions, schema, kind, messages, claimsOf }: Writing<Schema>,
  { jobDescription, exclude }: Input,
  { resume }: ReadForJob,
  provider: AiProvider,
  context: RunContext,
): Promise<{ answer: z.infer<Schema>; checked: (GroundedClaim | null)[] }> {
  const { signal } = context;
  context.stage('writing', messages.writing, WRITING_PERCENT);
  const material = resumeAndJob(resume, jobDescription);
  const request = exclude
    ? {
        instructions: `${instructions}\n\n${OTHERS}`,
        material: `${material}\n\n${delimit('known_text', exclude)}`,
      }
    : { instructions, material };
  const answer = await completeJson(provider, { name, schema, ...request }, signal);
  context.stage('checking', messages.checking, CHECKING_PERCENT);
  const checked = await groundClaims(claimsOf(answer), { resume, jobDescription, kind }, provider, signal);
  return { answer, checked };
}

export const nothingSupported = (what: string) =>
  new EngineError(`The AI service gave no ${what} that your resume supports. Try again.`, {
    retryable: true,
  });

/** Streams the finished text and returns the tool's outcome. */
export async function textForJob(
  {
    type,
    promptPrefix,
    displayName,
    content,
    engine,
  }: {
    type: string;
    promptPrefix: string;
    displayName?: string | undefined;
    content: string;
    engine: EngineName;
  },
  { jobDescription }: Input,
  { resume, notice }: ReadForJob,
  context: RunContext,
) {
  context.stage('finishing', 'Putting it together', FINISHING_PERCENT);
  for (const paragraph of content.split(/(?<=\n\n)/)) {
    await yieldToEventLoop(context.signal);
    context.text(paragraph);
  }
  return {
    result: { content, engine, notice },
    creation: {
      type,
      prompt: `${promptPrefix} ${resume.fileName}`,
      ...(displayName !== undefined && { displayName }),
      content,
      settings: { jobDescription },
    },
  };
}
