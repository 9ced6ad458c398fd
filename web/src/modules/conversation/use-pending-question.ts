import { z } from 'zod';
import { isEnded } from '#libs/contract/jobs.js';
import { drafts } from '../../shared/drafts/drafts';
import type { ToolRun } from '../submission/results/use-tool-run';
import type { PendingQuestion } from './pending-answer';

const askedSchema = z.object({ jobId: z.string(), question: z.string() });

interface ShownQuestion {
  /** The question of the shown job; null if none is shown. */
  question: PendingQuestion | null;
  /** ID of the job that this tab asked last. */
  askedJobId: string | undefined;
  /** True until the shown job ends. */
  waiting: boolean;
  /** Stores a question across reloads, since a job's title can be shorter. */
  remember: (jobId: string, question: string) => void;
}

/** The question that a conversation shows below its messages. */
export function usePendingQuestion({ tool, id, view }: ToolRun): ShownQuestion {
  const draft = `${tool}-asked`;
  const asked = askedSchema.safeParse(drafts.read(draft)).data;
  const text = asked?.jobId === id ? asked?.question : view?.job.title;
  return {
    question: id === null ? null : { question: text ?? '', view },
    askedJobId: asked?.jobId,
    waiting: id !== null && (view === null || !isEnded(view.job.status)),
    remember: (jobId, question) => drafts.write(draft, { jobId, question }),
  };
}
