import { RefreshCw } from 'lucide-react';
import { Button } from '../../shared/ui/button';

/** The button that creates another result from the same input. */
export function RepeatButton({ busy, onClick }: { busy: boolean; onClick: () => void }) {
  return (
    <Button size="small" busy={busy} onClick={onClick}>
      {!busy && <RefreshCw aria-hidden="true" className="size-4" />}
      Again
    </Button>
  );
}
