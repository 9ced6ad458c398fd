import { useEffect, useRef, type RefObject } from 'react';

/** The heading of a form of several steps: each step but the first begins there, since what had the focus is gone. */
export function useHeadingOf(step: string): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current !== step) heading.current?.focus();
    shown.current = step;
  }, [step]);
  return heading;
}
