import { useRef, useState } from 'react';
import toast from 'react-hot-toast';
import type { FieldError } from '#libs/contract/errors.js';
import { isEnded, type Job } from '#libs/contract/jobs.js';
import type { ToolName } from '#libs/tools/catalogue.js';
import { z } from 'zod';
import { drafts } from '../../../shared/drafts/drafts';
import { ApiFailure } from '../../../shared/http/http';
import { DOUBLE_CLICK_MS } from '../../runs/jobs/idempotency';
import { useJob } from '../../runs/state/runs-context';
import { useSubmitJob, type Submission } from '../../runs/jobs/job-calls';
import { useCountdown } from '../../../shared/lib/use-countdown';
import { summaryOf } from '../../../shared/tools/summary-of';

interface SubmissionOptions<N extends ToolName> {
  onSubmitted: (job: Job, sent: Submission<N>) => void;
  /** By field name: shows an error of the server at that field. */
  onFieldError: Partial<Record<string, (message: string) => void>>;
}

export interface FormSubmission<N extends ToolName> {
  tool: N;
  send: (submission: Submission<N>) => void;
  retry: () => void;
  sending: boolean;
  /** Error of the last submission; null if there is none or if the fields show it. */
  problem: Error | null;
  /** Seconds until the server allows a retry; 0 if now. */
  wait: number;
  /** The unfinished job that this form started last, also before a reload; null if there is none. */
  running: Job | null;
  /** Not null if the same request is already running; call it when the user confirms to run the request once more. */
  repeat: (() => void) | null;
}

/** The last accepted request of a tool, stored across reloads to detect repeated submissions. */
const acceptedSchema = z.object({ jobId: z.string(), request: z.string(), at: z.number() });

export function useSubmission<N extends ToolName>(
  tool: N,
  { onSubmitted, onFieldError }: SubmissionOptions<N>,
): FormSubmission<N> {
  const submission = useSubmitJob(tool);
  const [fieldsError, setFieldsError] = useState<Error | null>(null);
  const last = useRef<Submission<N>>(null);
  const { error } = submission;
  const wait = useCountdown(error instanceof ApiFailure ? error : null);
  const [accepted, setAccepted] = useState(() => acceptedSchema.safeParse(drafts.read(draftOf(tool))).data);
  const acceptedJob = useJob(accepted?.jobId ?? null)?.job;
  const [unconfirmed, setUnconfirmed] = useState<Submission<N> | null>(null);
  const isRunning = acceptedJob !== undefined && !isEnded(acceptedJob.status);

  const submit = (next: Submission<N>) => {
    last.current = next;
    setUnconfirmed(null);
    submission.mutate(next, {
      onSuccess: (job) => {
        const request = { jobId: job.id, request: fingerprint(next), at: Date.now() };
        setAccepted(request);
        drafts.write(draftOf(tool), request);
        onSubmitted(job, next);
      },
      onError: (failure) => {
        toast.error(failure.message);
        const errors = fieldErrorsOf(tool, failure);
        for (const { field, message } of errors) onFieldError[field]?.(message);
        if (errors.length > 0 && errors.every(({ field }) => onFieldError[field])) setFieldsError(failure);
      },
    });
  };
  const send = (next: Submission<N>) => {
    // The busy button ignores clicks, but Enter in a text field submits anyway.
    if (submission.isPending || wait > 0) return;
    const isRepeated = isRunning && accepted?.request === fingerprint(next);
    if (isRepeated && Date.now() - accepted.at > DOUBLE_CLICK_MS) setUnconfirmed(next);
    else submit(next);
  };
  return {
    tool,
    send,
    retry: () => last.current !== null && send(last.current),
    sending: submission.isPending,
    problem: error === fieldsError ? null : error,
    wait,
    running: isRunning ? acceptedJob : null,
    repeat: unconfirmed !== null && isRunning ? () => submit(unconfirmed) : null,
  };
}

const draftOf = (tool: ToolName) => `sent-${tool}`;

/** A string that is equal for equal input and files, for comparison. */
const fingerprint = ({ input, files = {} }: Submission<ToolName>): string =>
  JSON.stringify([
    input,
    Object.entries(files).map(([field, file]) => [
      field,
      file.size,
      ...(file instanceof File ? [file.name, file.lastModified] : []),
    ]),
  ]);

/** Errors by field. The server's file errors don't name a field, so they are assigned to the tool's first file field. */
function fieldErrorsOf(tool: ToolName, error: Error): FieldError[] {
  if (!(error instanceof ApiFailure)) return [];
  const [field] = summaryOf(tool).fileFields;
  switch (error.code) {
    case 'FILE_TOO_LARGE':
    case 'UNSUPPORTED_FILE':
    case 'UNREADABLE_PDF':
    case 'UNREADABLE_DOCUMENT':
    case 'UNREADABLE_IMAGE':
      return field === undefined ? [] : [{ field, message: error.message }];
    default:
      return error.fieldErrors;
  }
}
