import { useEffect, useState } from 'react';
import { Check } from 'lucide-react';
import { useConnected } from '../../modules/runs/state/runs-context';
import { Spinner } from '../../shared/ui/spinner';

const NOTICE_MS = 4_000;

/** On phones, the message is a strip below the bar instead of a text in the bar. */
const lineClass =
  'flex animate-fade items-center gap-2 max-sm:pointer-events-none max-sm:absolute max-sm:inset-x-0 max-sm:top-full ' +
  'max-sm:justify-center max-sm:border-b max-sm:border-line max-sm:bg-raised max-sm:py-1.5';

/** Shows that the live connection is lost and, for a moment, that it has been restored. */
export function ConnectionState() {
  const connected = useConnected();
  const [state, setState] = useState<'steady' | 'lost' | 'back'>('steady');
  useEffect(() => {
    if (!connected) {
      setState('lost');
      return;
    }
    setState((before) => (before === 'lost' ? 'back' : before));
    const timer = setTimeout(() => setState('steady'), NOTICE_MS);
    return () => clearTimeout(timer);
  }, [connected]);
  return (
    <div role="status" className="text-sm text-quiet">
      {state === 'lost' && (
        <span className={lineClass}>
          <Spinner />
          Reconnecting
        </span>
      )}
      {state === 'back' && (
        <span className={lineClass}>
          <Check aria-hidden="true" className="size-4 text-success" />
          Connected again
        </span>
      )}
    </div>
  );
}
