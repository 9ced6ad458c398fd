import { useEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom';

/** The delay before the page scrolls when it has just been opened. */
const ARRIVAL_MS = 100;

/** Scrolls to the section in the address, also when its link is followed again; not on Back and Forward. */
export function useScrollToSection(): void {
  const { hash, key } = useLocation();
  const navigation = useNavigationType();
  const arrived = useRef(false);
  useEffect(() => {
    const section = document.getElementById(hash.slice(1));
    const delay = arrived.current ? 0 : ARRIVAL_MS;
    const timer = setTimeout(() => {
      arrived.current = true;
      // Opening a page by its address is a "pop" too, with the key `default`.
      if (section === null || (navigation === NavigationType.Pop && key !== 'default')) return;
      const reducedMotion = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
      section.scrollIntoView({ behavior: reducedMotion ? 'auto' : 'smooth' });
      section.focus({ preventScroll: true });
    }, delay);
    return () => clearTimeout(timer);
  }, [hash, key, navigation]);
}
