import { useEffect, useRef } from 'react';
import { canObserveNear, observeNear } from './observe-near';

/** Loads more of a list while its end comes near. */
export function LoadAhead({ waiting, load }: { waiting: boolean; load: () => unknown }) {
  const end = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    // A browser that cannot say has the button.
    if (waiting || end.current === null || !canObserveNear()) return;
    return observeNear(end.current, (isNear) => void (isNear && load()));
  }, [waiting, load]);
  return <span ref={end} aria-hidden="true" />;
}
