import { useEffect, useRef, type RefObject } from 'react';
import { inView } from 'motion';

/** The animation starts when the section's top reaches 85% of the viewport's height. */
const VIEWPORT_MARGIN = '0px 0px -15% 0px';
const STAGGER_MS = 110;
const TIMING = { duration: 250, easing: 'ease-out', fill: 'backwards' } as const;

/**
 * Animates the list items of a section one after the other when the section scrolls into view. Does nothing if the section
 * is initially in view or if the user prefers reduced motion.
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
