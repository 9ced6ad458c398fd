import toast from 'react-hot-toast';
import type { Batch } from '#libs/contract/batches.js';
import { Button } from '../ui/button';
import { Notice } from '../ui/notice';
import { useCancelBatch } from './batch-calls';
import { pictures } from './batch-text';

interface CancelQuestionProps {
  batch: Batch;
  onClose: () => void;
}

/** Asks before the rest of a batch is cancelled: a cancelled batch cannot go on. */
export function CancelQuestion({ batch, onClose }: CancelQuestionProps) {
  const cancel = useCancelBatch();
  const { missing, queued, running } = batch.counts;
  const left = pictures(missing + queued + running);
  return (
    <Notice
      tone="warning"
      title={`Cancel ${left}?`}
      action={
        <>
          <Button
            variant="danger"
            size="small"
            busy={cancel.isPending}
            // Also when the question is gone before the answer.
            onClick={() =>
              void cancel.mutateAsync(batch.id).then(onClose, ({ message }: Error) => toast.error(message))
            }
          >
            Cancel {left}
          </Button>
          {/* The harmless answer. */}
          {/* eslint-disable-next-line jsx-a11y/no-autofocus */}
          <Button size="small" autoFocus onClick={onClose}>
            Keep going
          </Button>
        </>
      }
    >
      They cost nothing, and what is done stays. A cancelled batch cannot go on later.
    </Notice>
  );
}
