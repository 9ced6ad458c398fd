import { CancelQuestion } from '../../../shared/ui/cancel-question';
import { useCancelRun } from './run-calls';
import { batchKind, flowKind } from './run-kinds';
import type { RunSummary } from './run-summary';

export function CancelRunQuestion({ run, onClose }: { run: RunSummary; onClose: () => void }) {
  const cancel = useCancelRun(run.kind);
  const { noun } = run.kind === 'batch' ? batchKind : flowKind;
  return (
    <CancelQuestion
      title={run.cancelTitle}
      confirm={run.cancelLabel}
      busy={cancel.isPending}
      onConfirm={() => cancel.mutateAsync(run.id)}
      onClose={onClose}
    >
      {`They cost nothing, and finished results stay. A cancelled ${noun} cannot be resumed.`}
    </CancelQuestion>
  );
}
