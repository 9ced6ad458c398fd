import { useEffect, useEffectEvent } from 'react';
import toast from 'react-hot-toast';
import { useNavigate } from 'react-router-dom';
import type { Batch } from '#libs/contract/batches.js';
import type { Job } from '#libs/contract/jobs.js';
import { useJobStore } from '../../modules/runs/jobs/jobs-context';
import { findSummary } from '../../shared/tools/summary-of';
import { useFindToolPage, useJobPath } from '../../shared/tools/tool-pages';
import { progressText } from '../../modules/runs/batches/batch-text';
import { useFlowEnds } from '../../modules/runs/flows/flow-cache';
import * as flowText from '../../modules/runs/flows/flow-text';
import { useBatchStore } from '../../modules/runs/batches/batches-context';
import { paths } from '../../shared/paths';
import { notifyEnd, notifyJobEnd } from './notifications';

export function useJobEndMessages(): void {
  const store = useJobStore();
  const navigate = useNavigate();
  const findToolPage = useFindToolPage();
  const jobPath = useJobPath();
  const showEnd = useEffectEvent((job: Job) => {
    // The end of a step is told by its flow.
    if (job.flowId !== undefined) return;
    // The end of a chat's answer is seen in the chat.
    const isSeen = job.tool === 'chat-with-pdf' && location.pathname + location.search === jobPath(job);
    if (!document.hidden && !isSeen) showToast(job);
    const label = findToolPage(job.tool)?.label ?? 'Your work';
    void notifyJobEnd(job, label, () => void navigate(jobPath(job)));
  });
  useEffect(() => store.onEnd((job) => showEnd(job)), [store]);
  const batches = useBatchStore();
  const showBatchEnd = useEffectEvent((batch: Batch) => {
    const { id, title, revision } = batch;
    const isSeen = location.pathname === paths.batch(id);
    const text = `${title}: ${progressText(batch)}`;
    if (!document.hidden && !isSeen) (batch.counts.failed > 0 ? toast.error : toast.success)(text, silent);
    // A picture that is tried again ends the batch again.
    const notice = { id: `${id}:${revision}`, title, body: progressText(batch) };
    void notifyEnd(notice, true, () => void navigate(paths.batch(id)));
  });
  useEffect(() => batches.onEnd((batch) => showBatchEnd(batch)), [batches]);
  useFlowEnds((flow) => {
    const { id, title, revision, status } = flow;
    const body = flowText.progressText(flow);
    const isSeen = location.pathname === paths.flow(id);
    const show = status === 'stopped' ? toast.error : toast.success;
    if (!document.hidden && !isSeen) show(`${title}: ${body}`, silent);
    void notifyEnd({ id: `${id}:${revision}`, title, body }, true, () => void navigate(paths.flow(id)));
  });
}

const silent = { ariaProps: { role: 'status', 'aria-live': 'off' } } as const;

/** A cancelled job needs no toast. Screen readers get the end from the tray and the result pane. */
function showToast(job: Job): void {
  const tool = findSummary(job.tool);
  // One for all pictures of a request.
  const options = { ...silent, id: `${job.group ?? job.id}:${job.status}` };
  if (job.status === 'succeeded' && tool !== undefined) toast.success(tool.successMessage, options);
  if (job.status === 'failed') {
    const message = job.error?.message ?? tool?.failureMessage;
    toast.error(message ?? 'Something went wrong on our side.', options);
  }
}
