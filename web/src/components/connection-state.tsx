import { useEffect, useState } from 'react';
import { Check } from 'lucide-react';
import { useConnected } from '../live/live-context';
import { Spinner } from './spinner';

const SHOWN_MS = 4_000;

/** Says that the live connection is lost, and for a moment that it is back. */
export function ConnectionState() {
  const connected = useConnected();
  const [state, setState] = useState<'steady' | 'lost' | 'back'>('steady');
  useEffect(() => {
    if (!connected) {
      setState('lost');
      return;
    }
    setState((before) => (before === 'lost' ? 'back' : before));
    const timer = setTimeout(() => setState('steady'), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [connected]);
  return (
    <div role="status" className="text-sm text-quiet">
      {state === 'lost' && (
        <span className="flex animate-fade items-center gap-2">
          <Spinner />
          Reconnecting
        </span>
      )}
      {state === 'back' && (
        <span className="flex animate-fade items-center gap-2">
          <Check aria-hidden="true" className="size-4 text-success" />
          Connected again
        </span>
      )}
    </div>
  );
}
