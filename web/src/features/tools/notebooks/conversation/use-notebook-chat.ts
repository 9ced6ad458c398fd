import { useEffect, useRef, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { isEnded } from '#libs/contract/jobs.js';
import type { NotebookDocument } from '#libs/contract/notebooks.js';
import type { PendingQuestion } from '../../../../modules/conversation/pending-answer';
import { useQuestionDraft } from '../../../../modules/conversation/question-field';
import { useNeedsPremium } from '../../../../modules/runs/jobs/premium-notice';
import { useSubmission } from '../../../../modules/submission/form/use-submission';
import { useToolRun } from '../../../../modules/submission/results/use-tool-run';
import { drafts } from '../../../../shared/drafts/drafts';
import { queryKeys } from '../../../../shared/http/query-keys';
import { useMessages } from '../api/notebook-calls';

const TOOL = 'ask-notebook';
const ASKED_DRAFT = 'ask-notebook-asked';
const askedSchema = z.object({ jobId: z.string(), question: z.string() });
const readAsked = () => askedSchema.safeParse(drafts.read(ASKED_DRAFT)).data;

export type NotebookChat = ReturnType<typeof useNotebookChat>;

/**
 * The conversation of a notebook.
 * @param documents the documents that can be searched
 * @param someRemoved true if the user has removed a document which the server still has
 */
export function useNotebookChat(
  notebookId: string,
  documents: readonly NotebookDocument[],
  someRemoved: boolean,
) {
  const queries = useQueryClient();
  const run = useToolRun(TOOL, notebookId);
  const messages = useMessages(notebookId);
  const needsPremium = useNeedsPremium();
  const [question, setQuestion] = useQuestionDraft(`ask-notebook-${notebookId}`);
  const { show } = run;
  const job = run.view?.job;

  // The answer stays in place until the stored messages, which contain it, have arrived.
  const [ended, setEnded] = useState<{ jobId: string; messagesAt: number } | null>(null);
  const handledJobId = useRef<string>(null);
  const { dataUpdatedAt } = messages;
  useEffect(() => {
    if (job?.status !== 'succeeded' || handledJobId.current === job.id) return;
    handledJobId.current = job.id;
    setEnded({ jobId: job.id, messagesAt: dataUpdatedAt });
    void queries
      .refetchQueries({ queryKey: queryKeys.notebooks.messages(notebookId) })
      .finally(() => show(null));
  }, [job, dataUpdatedAt, queries, notebookId, show]);
  const isStored = ended !== null && ended.jobId === run.id && dataUpdatedAt !== ended.messagesAt;

  const asked = readAsked();
  const pending: PendingQuestion | null =
    run.id === null || isStored
      ? null
      : { question: asked?.jobId === run.id ? asked.question : (job?.title ?? ''), view: run.view };
  const waiting = run.id !== null && (run.view === null || !isEnded(run.view.job.status));

  const { send, retry, sending, problem, wait } = useSubmission(TOOL, {
    onSubmitted: (accepted, { input }) => {
      drafts.write(ASKED_DRAFT, { jobId: accepted.id, question: input.message });
      show(accepted.id);
      if (input.message === question.trim()) setQuestion('');
    },
    onFieldError: {},
  });
  const searched = documents.filter(({ enabled }) => enabled);
  const canAsk = searched.length > 0 && !needsPremium;
  const ask = (message: string) => {
    if (!canAsk || waiting) return;
    const only = someRemoved ? { documents: searched.map(({ id }) => id) } : {};
    send({ input: { notebook_id: notebookId, message, ...only } });
  };
  return {
    run,
    messages,
    pending,
    question,
    setQuestion,
    ask,
    canAsk,
    /** Number of documents that a question searches. */
    searched: searched.length,
    waiting: waiting || sending,
    retry,
    problem,
    wait,
  };
}
