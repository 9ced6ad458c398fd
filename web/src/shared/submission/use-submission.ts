import { useRef, useState } from 'react';
import toast from 'react-hot-toast';
import type { FieldError } from '#libs/contract/errors.js';
import type { Job } from '#libs/contract/jobs.js';
import { tools, type ToolName } from '#libs/tools/catalogue.js';
import { ApiFailure } from '../http/http';
import { useSubmitJob, type Submission } from '../jobs/submit-job';
import { useCountdown } from '../lib/use-countdown';

interface SubmissionOptions {
  onSubmitted: (job: Job) => void;
  /** Shows the server's error of a field or file, by its name. */
  onFieldError: Partial<Record<string, (message: string) => void>>;
}

export interface FormSubmission<N extends ToolName> {
  tool: N;
  send: (submission: Submission<N>) => void;
  /** Sends the last submission again. */
  retry: () => void;
  sending: boolean;
  /** Why the last submission was not accepted, unless fields show it. */
  problem: Error | null;
  /** Seconds until a retry is allowed. */
  wait: number;
}

export function useSubmission<N extends ToolName>(
  tool: N,
  { onSubmitted, onFieldError }: SubmissionOptions,
): FormSubmission<N> {
  const submission = useSubmitJob(tool);
  const [shownByFields, setShownByFields] = useState<Error | null>(null);
  const last = useRef<Submission<N>>(null);
  const { error } = submission;
  const wait = useCountdown(error instanceof ApiFailure ? error : null);
  const send = (next: Submission<N>) => {
    // The button ignores clicks meanwhile; Enter in a text field does not.
    if (submission.isPending || wait > 0) return;
    last.current = next;
    submission.mutate(next, {
      onSuccess: onSubmitted,
      onError: (failure) => {
        toast.error(failure.message);
        const errors = fieldErrorsOf(tool, failure);
        for (const { field, message } of errors) onFieldError[field]?.(message);
        if (errors.length > 0 && errors.every(({ field }) => onFieldError[field])) setShownByFields(failure);
      },
    });
  };
  return {
    tool,
    send,
    retry: () => last.current !== null && send(last.current),
    sending: submission.isPending,
    problem: error === shownByFields ? null : error,
    wait,
  };
}

/** File errors name no field: they belong to the tool's first file. */
function fieldErrorsOf(tool: ToolName, error: Error): FieldError[] {
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
