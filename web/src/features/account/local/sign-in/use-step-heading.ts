import { useEffect, useRef, type RefObject } from 'react';

/** Returns a ref for the heading of a form with several steps. The heading gets the focus when the step changes. */
export function useStepHeading(step: string): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const previousStep = useRef(step);
  useEffect(() => {
    if (previousStep.current !== step) heading.current?.focus();
    previousStep.current = step;
  }, [step]);
  return heading;
}
