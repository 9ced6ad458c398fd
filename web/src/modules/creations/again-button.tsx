import { RefreshCw } from 'lucide-react';
import { Button } from '../../shared/ui/button';

/** Makes another from the same input, and keeps what is there. */
export function AgainButton({ busy, onClick }: { busy: boolean; onClick: () => void }) {
  return (
    <Button size="small" busy={busy} onClick={onClick}>
      {!busy && <RefreshCw aria-hidden="true" className="size-4" />}
      Again
    </Button>
  );
}
