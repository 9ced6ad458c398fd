import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { JobStory } from '#libs/contract/admin.js';
import { paths } from '../../../shared/paths';
import { Button } from '../../../shared/ui/button';
import { TextAreaField } from '../../../shared/ui/text-area-field';
import { useCancelJob, useRetryJob, useRevealJob } from '../admin-api';
import { ReasonDialog } from '../reason-dialog';

export function JobActions({ job: { id, status, hasInput } }: { job: JobStory }) {
  const [opened, setOpened] = useState<'cancel' | 'retry' | 'change' | null>(null);
  const isOver = status !== 'queued' && status !== 'running';
  const isRetryable = status === 'failed' || status === 'cancelled';
  const close = () => setOpened(null);
  return (
    <div className="flex flex-wrap gap-3">
      {!isOver && (
        <Button variant="danger" onClick={() => setOpened('cancel')}>
          Cancel
        </Button>
      )}
      {isRetryable && (
        <>
          <Button disabled={!hasInput} onClick={() => setOpened('retry')}>
            Retry
          </Button>
          <Button disabled={!hasInput} onClick={() => setOpened('change')}>
            Retry with changes
          </Button>
          {!hasInput && (
            <p className="basis-full text-sm text-quiet">
              Its input was deleted, so it cannot be retried here.
            </p>
          )}
        </>
      )}
      {opened === 'cancel' && <CancelDialog id={id} onClose={close} />}
      {opened === 'retry' && <RetryDialog id={id} onClose={close} />}
      {opened === 'change' && <ChangeDialog id={id} onClose={close} />}
    </div>
  );
}

interface DialogProps {
  id: string;
  onClose: () => void;
}

function CancelDialog({ id, onClose }: DialogProps) {
  const cancel = useCancelJob();
  return (
    <ReasonDialog
      title="Cancel the job?"
      confirmLabel="Cancel the job"
      variant="danger"
      mutation={cancel}
      onConfirm={(reason) => cancel.mutate({ id, reason }, { onSuccess: onClose })}
      onClose={onClose}
    >
      Its credits are given back.
    </ReasonDialog>
  );
}

function RetryDialog({ id, onClose }: DialogProps) {
  const retry = useRetryJob();
  const navigate = useNavigate();
  return (
    <ReasonDialog
      title="Retry the job?"
      confirmLabel="Retry"
      mutation={retry}
      onConfirm={(reason) =>
        retry.mutate({ id, reason }, { onSuccess: ({ job }) => void navigate(paths.adminJob(job.id)) })
      }
      onClose={onClose}
    >
      It runs again as a new job, which is charged to its user.
    </ReasonDialog>
  );
}

/** Shows the input, which is an act of its own, and retries with what the operator changes in it. */
function ChangeDialog({ id, onClose }: DialogProps) {
  const reveal = useRevealJob();
  const retry = useRetryJob();
  const navigate = useNavigate();
  const [text, setText] = useState<string | null>(null);
  const [wrong, setWrong] = useState<string | undefined>();
  if (text === null)
    return (
      <ReasonDialog
        key="show"
        title="Show the input?"
        confirmLabel="Show"
        mutation={reveal}
        onConfirm={(reason) =>
          reveal.mutate({ id, reason }, { onSuccess: ({ input }) => setText(JSON.stringify(input, null, 2)) })
        }
        onClose={onClose}
      >
        The input is private to the user. That you saw it stands in the audit log.
      </ReasonDialog>
    );
  const submit = (reason: string) => {
    try {
      const input = JSON.parse(text) as Record<string, unknown>;
      setWrong(undefined);
      retry.mutate({ id, reason, input }, { onSuccess: ({ job }) => void navigate(paths.adminJob(job.id)) });
    } catch {
      setWrong('This is not valid JSON.');
    }
  };
  return (
    <ReasonDialog
      key="retry"
      title="Retry with another input?"
      confirmLabel="Retry"
      mutation={retry}
      fields={
        <TextAreaField
          label="Input as JSON"
          multiline
          spellCheck={false}
          value={text}
          error={wrong}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      }
      onConfirm={submit}
      onClose={onClose}
    >
      It runs as a new job, which is charged to its user.
    </ReasonDialog>
  );
}
