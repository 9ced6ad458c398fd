import toast from 'react-hot-toast';
import { Button } from '../../../shared/ui/button';
import { Notice } from '../../../shared/ui/notice';
import { useCancelRun } from './run-calls';
import { batchKind, flowKind } from './run-kinds';
import type { RunSummary } from './run-summary';

/** Confirmation before the rest of a batch or flow is cancelled. */
export function CancelRunQuestion({ run, onClose }: { run: RunSummary; onClose: () => void }) {
  const { mutateAsync: cancel, isPending } = useCancelRun(run.kind);
  const { noun } = run.kind === 'batch' ? batchKind : flowKind;
  return (
    <Notice
      tone="warning"
      title={run.cancelTitle}
      action={
        <>
          <Button
            variant="danger"
            size="small"
            busy={isPending}
            // Use the promise: `mutate` callbacks don't run if this component is unmounted first.
            onClick={() => void cancel(run.id).then(onClose, ({ message }: Error) => toast.error(message))}
          >
            {run.cancelLabel}
          </Button>
          {/* Autofocus on the button that changes nothing. */}
          {/* eslint-disable-next-line jsx-a11y/no-autofocus */}
          <Button size="small" autoFocus onClick={onClose}>
            Keep going
          </Button>
        </>
      }
    >
      {`They cost nothing, and finished results stay. A cancelled ${noun} cannot be resumed.`}
    </Notice>
  );
}
