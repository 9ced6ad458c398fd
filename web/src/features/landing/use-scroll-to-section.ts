import { useEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom';

/** Delay before scrolling if the page has just been opened and its layout may still change. */
const ARRIVAL_MS = 100;

/** Scrolls to the section in the URL's hash, also if its link is clicked again. Doesn't scroll on Back and Forward. */
export function useScrollToSection(): void {
  const { hash, key } = useLocation();
  const navigation = useNavigationType();
  const arrived = useRef(false);
  useEffect(() => {
    const section = document.getElementById(hash.slice(1));
    const delay = arrived.current ? 0 : ARRIVAL_MS;
    const timer = setTimeout(() => {
      arrived.current = true;
      // Back and Forward have the type Pop. So does the first page of a visit, whose key is `default`.
      if (section === null || (navigation === NavigationType.Pop && key !== 'default')) return;
      const reducedMotion = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
      section.scrollIntoView({ behavior: reducedMotion ? 'auto' : 'smooth' });
      section.focus({ preventScroll: true });
    }, delay);
    return () => clearTimeout(timer);
  }, [hash, key, navigation]);
}
