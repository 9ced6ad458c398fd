import { AppError } from '#libs/contract/errors.js';
import type { ScanLanguage } from '#libs/contract/scans.js';
import type { RunContext } from '#libs/jobs/tool-handler.js';
import type { Selection } from '#libs/local-engine/resume-match/choose-statements.js';
import type * as matchTasks from '#libs/local-engine/resume-match/thread.js';
import { textThreads } from '#libs/local-engine/threads/text-threads.js';
import { readResume, type ReadResume } from './read-resume.js';

const READING_PERCENT = 3;
const COMPARING_PERCENT = 15;

const onMatchThread = textThreads.tasks<typeof matchTasks>(
  import.meta.resolve('#libs/local-engine/resume-match/thread.js'),
);

/** Reads the resume of a request, and finds what of it answers the job. */
export async function readResumeForJob(
  { jobDescription, language }: { jobDescription: string; language?: ScanLanguage },
  context: RunContext,
): Promise<ReadResume & { selection: Selection }> {
  context.stage('reading', 'Reading your resume', READING_PERCENT);
  const read = await readResume(context, language);
  context.stage('comparing', 'Comparing it with the job description', COMPARING_PERCENT);
  const selection = await onMatchThread('choose', { resume: read.resume, jobDescription }, context.signal);
  return { ...read, selection };
}

/** Where this server has nothing to choose from. */
export const noLineAnswers = () =>
  new AppError(
    'ENGINE_CANNOT',
    'No line of your resume names what this job description asks for, so there is nothing to choose from. Calculate the ATS score to see what is missing, and say in your lines what you worked with.',
  );
