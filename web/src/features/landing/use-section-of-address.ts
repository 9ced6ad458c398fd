import { useEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom';

/** Who comes from another page sees the top of this one for a moment, then where it goes. */
const ARRIVAL_MS = 100;

/** Scrolls to the section that the address names, also when the same link is followed again; going back leaves the place to the browser. */
export function useSectionOfAddress(): void {
  const { hash, key } = useLocation();
  const navigation = useNavigationType();
  const arrived = useRef(false);
  useEffect(() => {
    const section = document.getElementById(hash.slice(1));
    const pause = arrived.current ? 0 : ARRIVAL_MS;
    const timer = setTimeout(() => {
      arrived.current = true;
      // A page opened by its address comes as a "pop" too, with the first key.
      if (section === null || (navigation === NavigationType.Pop && key !== 'default')) return;
      const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
      section.scrollIntoView({ behavior: still ? 'auto' : 'smooth' });
      section.focus({ preventScroll: true });
    }, pause);
    return () => clearTimeout(timer);
  }, [hash, key, navigation]);
}
