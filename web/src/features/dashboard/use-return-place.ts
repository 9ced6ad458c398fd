import { useEffect, useEffectEvent, useLayoutEffect } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom';
import { z } from 'zod';
import { drafts } from '../../shared/drafts/drafts';

const placeSchema = z.object({
  /** Pixels that the page was scrolled. */
  scrolled: z.number(),
  /** The first creation on the screen, and where on it. */
  first: z.object({ id: z.string(), top: z.number() }).nullable(),
  /** The creation that was opened from there. */
  focused: z.string().nullable(),
});
type Place = z.infer<typeof placeSchema>;

/** While a page comes back, its lists and pictures grow. */
const GROWS_MS = 3_000;
const inputs = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/** Shows the list of creations at the place where it was left, after Back and Forward. */
export function useReturnPlace(): void {
  const { key } = useLocation();
  const isBack = useNavigationType() === NavigationType.Pop;
  // The first page of each visit has the same key.
  const name = `place:${key === 'default' ? performance.timeOrigin : key}`;
  const remember = useEffectEvent(() => drafts.write(name, placeNow()));
  // Before what is shown leaves the page.
  useLayoutEffect(() => {
    const onHide = () => remember();
    window.addEventListener('pagehide', onHide);
    return () => {
      window.removeEventListener('pagehide', onHide);
      onHide();
    };
  }, []);
  useEffect(() => {
    const place = isBack ? placeSchema.safeParse(drafts.read(name)).data : undefined;
    return place && returnTo(place);
    // Once, where the list is shown.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
}

const creationsShown = () => [...document.querySelectorAll<HTMLElement>('[data-creation]')];
const idOf = ({ dataset }: HTMLElement) => dataset['creation'] ?? '';

function placeNow(): Place {
  const first = creationsShown().find((shown) => topOf(shown) >= 0);
  const focused = document.activeElement?.closest('li')?.querySelector<HTMLElement>('[data-creation]');
  return {
    scrolled: window.scrollY,
    first: first ? { id: idOf(first), top: topOf(first) } : null,
    focused: focused ? idOf(focused) : null,
  };
}

/** Pixels below the top of the screen, wherever it still moves to. */
function topOf(element: HTMLElement): number {
  let top = -window.scrollY;
  for (let at: Element | null = element; at instanceof HTMLElement; at = at.offsetParent) top += at.offsetTop;
  return top;
}

/** Goes there, and again whenever the page grows, until somebody moves it. @returns what ends that */
function returnTo({ scrolled, first, focused }: Place): () => void {
  const scroll = () => {
    const anchor = first && creationsShown().find((shown) => idOf(shown) === first.id);
    if (anchor) window.scrollBy({ top: topOf(anchor) - first.top, behavior: 'instant' });
    else window.scrollTo({ top: scrolled, behavior: 'instant' });
    // The link that led back is gone, and with it the focus.
    if (focused !== null && document.activeElement?.matches('body, main'))
      creationsShown()
        .find((shown) => idOf(shown) === focused)
        ?.focus({ preventScroll: true });
  };
  const observer = new ResizeObserver(scroll);
  const end = () => {
    observer.disconnect();
    clearTimeout(timer);
    for (const input of inputs) window.removeEventListener(input, end);
  };
  const timer = setTimeout(end, GROWS_MS);
  for (const input of inputs) window.addEventListener(input, end, { passive: true });
  scroll();
  observer.observe(document.body);
  return end;
}
