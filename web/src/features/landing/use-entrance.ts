import { useEffect, useRef, type RefObject } from 'react';
import { inView } from 'motion';

/** The lowest 15% of the window do not count: a section starts when its top reaches 85% of the height. */
const BELOW_85_PERCENT = '0px 0px -15% 0px';
const BETWEEN_MS = 110;
const MOVE = { duration: 250, easing: 'ease-out', fill: 'backwards' } as const;

/**
 * Lets the parts of a section that match `selector` come in one after the other, once its top has reached 85% of the
 * window. They are hidden by this script alone, and only where nobody sees it: without it, in view from the first, or for
 * who wants no motion, everything simply stands there.
 */
export function useEntrance<T extends HTMLElement>(selector: string): RefObject<T | null> {
  const section = useRef<T>(null);
  useEffect(() => {
    const element = section.current;
    const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (element === null || still || element.getBoundingClientRect().top < innerHeight) return;
    const entrances = Array.from(element.querySelectorAll(selector), (part, index) => {
      const entrance = part.animate(
        { opacity: [0, 1], transform: ['translateY(24px)', 'none'] },
        { ...MOVE, delay: index * BETWEEN_MS },
      );
      entrance.pause();
      return entrance;
    });
    const stop = inView(element, () => entrances.forEach((entrance) => entrance.play()), {
      margin: BELOW_85_PERCENT,
    });
    return () => {
      stop();
      entrances.forEach((entrance) => entrance.cancel());
    };
  }, [selector]);
  return section;
}
