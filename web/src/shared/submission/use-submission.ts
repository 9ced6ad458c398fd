import { useRef, useState } from 'react';
import toast from 'react-hot-toast';
import type { FieldError } from '#libs/contract/errors.js';
import type { Job } from '#libs/contract/jobs.js';
import { tools, type ToolName } from '#libs/tools/catalogue.js';
import { ApiFailure } from '../http/http';
import { useSubmitJob, type Submission } from '../jobs/submit-job';
import { useCountdown } from './submission-problem';

interface SubmissionOptions {
  onSubmitted: (job: Job) => void;
  /** Shows what the server refuses of one field or file; false where the form has no such field. */
  onRefused: (refusal: FieldError) => boolean;
}

/** What a tool's form needs to send its work. */
export interface FormSubmission<N extends ToolName> {
  tool: N;
  send: (submission: Submission<N>) => void;
  /** Sends the last one once more, as it was. */
  again: () => void;
  sending: boolean;
  /** Why the last one was not taken, where no field says it. */
  problem: Error | null;
  /** Seconds until it may be sent again. */
  wait: number;
}

/** Sends a tool's work, and brings back to the form what came of it. */
export function useSubmission<N extends ToolName>(
  tool: N,
  { onSubmitted, onRefused }: SubmissionOptions,
): FormSubmission<N> {
  const submission = useSubmitJob(tool);
  const [saidByFields, setSaidByFields] = useState<Error | null>(null);
  const last = useRef<Submission<N>>(null);
  const { error } = submission;
  const wait = useCountdown(error instanceof ApiFailure ? error : null);
  const send = (what: Submission<N>) => {
    // The button is deaf meanwhile; a key in a text field is not.
    if (submission.isPending || wait > 0) return;
    last.current = what;
    submission.mutate(what, {
      onSuccess: onSubmitted,
      onError: (failure) => {
        toast.error(failure.message);
        const said = refusals(tool, failure).map(onRefused);
        if (said.length > 0 && said.every(Boolean)) setSaidByFields(failure);
      },
    });
  };
  return {
    tool,
    send,
    again: () => last.current !== null && send(last.current),
    sending: submission.isPending,
    problem: error === saidByFields ? null : error,
    wait,
  };
}

/** What a refusal says of single fields. One of a file names no field: it is the tool's first. */
function refusals(tool: ToolName, error: Error): FieldError[] {
  if (!(error instanceof ApiFailure)) return [];
  const [field] = Object.keys(tools[tool].files ?? {});
  switch (error.code) {
    case 'FILE_TOO_LARGE':
    case 'UNSUPPORTED_FILE':
    case 'UNREADABLE_PDF':
    case 'UNREADABLE_IMAGE':
      return field === undefined ? [] : [{ field, message: error.message }];
    default:
      return error.fieldErrors;
  }
}
