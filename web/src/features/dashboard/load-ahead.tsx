import { useEffect, useRef } from 'react';

/** How far below the screen the end of the list may be. */
const AHEAD = '1500px';

/** Loads more of a list while its end comes near. */
export function LoadAhead({ waiting, load }: { waiting: boolean; load: () => unknown }) {
  const end = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    // A browser without it has the button.
    if (waiting || end.current === null || !('IntersectionObserver' in globalThis)) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) void load();
      },
      { rootMargin: `${AHEAD} 0px` },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [waiting, load]);
  return <span ref={end} aria-hidden="true" />;
}
