import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Job } from '#libs/contract/jobs.js';
import type { NotebookDocument } from '#libs/contract/notebooks.js';
import { usePendingQuestion } from '../../../../modules/conversation/use-pending-question';
import { useQuestionDraft } from '../../../../modules/conversation/question-field';
import { useNeedsPremium } from '../../../../modules/runs/jobs/premium-notice';
import { useJobStore } from '../../../../modules/runs/state/runs-context';
import { useSubmission } from '../../../../modules/submission/form/use-submission';
import { useToolRun } from '../../../../modules/submission/results/use-tool-run';
import { useMessages } from '../api/notebook-calls';

const TOOL = 'ask-notebook';

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
  const store = useJobStore();
  const run = useToolRun(TOOL, notebookId);
  const shown = usePendingQuestion(run);
  const messages = useMessages(notebookId);
  const needsPremium = useNeedsPremium();
  const [question, setQuestion] = useQuestionDraft(`ask-notebook-${notebookId}`);
  const job = run.view?.job;

  // The answer stays in place until the stored messages, which contain it, have arrived.
  const [ended, setEnded] = useState<{ jobId: string; messagesAt: number } | null>(null);
  const handledJobId = useRef<string>(null);
  const { dataUpdatedAt, refetch } = messages;
  useEffect(() => {
    if (job?.status !== 'succeeded' || handledJobId.current === job.id) return;
    handledJobId.current = job.id;
    setEnded({ jobId: job.id, messagesAt: dataUpdatedAt });
    void refetch();
  }, [job, dataUpdatedAt, refetch]);
  const isStored = ended !== null && ended.jobId === run.id && dataUpdatedAt !== ended.messagesAt;
  const hideStored = useEffectEvent(() => run.show(null));
  useEffect(() => {
    if (isStored) hideStored();
  }, [isStored]);

  // Another tab's question that this one does not show.
  const handleEnd = useEffectEvent((other: Job) => {
    if (other.tool === TOOL && other.notebookId === notebookId && other.id !== run.id) void refetch();
  });
  useEffect(() => store.onEnd((other) => handleEnd(other)), [store]);

  const { send, retry, sending, problem, wait } = useSubmission(TOOL, {
    onSubmitted: (accepted, { input }) => {
      shown.remember(accepted.id, input.message);
      run.show(accepted.id);
      if (input.message === question.trim()) setQuestion('');
    },
    onFieldError: {},
  });
  const searched = documents.filter(({ enabled }) => enabled);
  const canAsk = searched.length > 0 && !needsPremium;
  const ask = (message: string) => {
    if (!canAsk || shown.waiting) return;
    const only = someRemoved ? { documents: searched.map(({ id }) => id) } : {};
    send({ input: { notebook_id: notebookId, message, ...only } });
  };
  return {
    run,
    messages,
    pending: isStored ? null : shown.question,
    /** Why the answer that has ended is not among the messages yet. */
    refreshFailure: job?.status === 'succeeded' ? messages.failureReason : null,
    question,
    setQuestion,
    ask,
    canAsk,
    /** Number of documents that a question searches. */
    searched: searched.length,
    waiting: shown.waiting || sending,
    retry,
    problem,
    wait,
  };
}
