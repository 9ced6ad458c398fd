import { useEffect, useRef, type RefObject } from 'react';
import { inView } from 'motion';

/** A section starts when its top reaches 85% of the window's height. */
const VIEWPORT_MARGIN = '0px 0px -15% 0px';
const STAGGER_MS = 110;
const TIMING = { duration: 250, easing: 'ease-out', fill: 'backwards' } as const;

/**
 * Animates the items of a section's list one after the other when it scrolls into view. Does nothing if the section is in
 * view from the start or the user prefers reduced motion.
 */
export function useEntranceAnimation(): RefObject<HTMLElement | null> {
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    const element = section.current;
    const reducedMotion = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (element === null || reducedMotion || element.getBoundingClientRect().top < innerHeight) return;
    const animations = Array.from(element.querySelectorAll('li'), (part, index) => {
      const animation = part.animate(
        { opacity: [0, 1], transform: ['translateY(24px)', 'none'] },
        { ...TIMING, delay: index * STAGGER_MS },
      );
      animation.pause();
      return animation;
    });
    const stop = inView(element, () => animations.forEach((animation) => animation.play()), {
      margin: VIEWPORT_MARGIN,
    });
    return () => {
      stop();
      animations.forEach((animation) => animation.cancel());
    };
  }, []);
  return section;
}
