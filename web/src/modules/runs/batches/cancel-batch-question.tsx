import type { Batch } from '#libs/contract/batches.js';
import { CancelQuestion } from '../../../shared/ui/cancel-question';
import { useCancelBatch } from './batch-calls';
import { pictures } from './batch-text';

export function CancelBatchQuestion({ batch, onClose }: { batch: Batch; onClose: () => void }) {
  const cancel = useCancelBatch();
  const { missing, queued, running } = batch.counts;
  const left = pictures(missing + queued + running);
  return (
    <CancelQuestion
      title={`Cancel ${left}?`}
      confirm={`Cancel ${left}`}
      busy={cancel.isPending}
      onConfirm={() => cancel.mutateAsync(batch.id)}
      onClose={onClose}
    >
      They cost nothing, and what is done stays. A cancelled batch cannot go on later.
    </CancelQuestion>
  );
}
