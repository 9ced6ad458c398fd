import { useEffect, useEffectEvent, useLayoutEffect } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom';
import { z } from 'zod';
import { drafts } from '../../shared/drafts/drafts';

const placeSchema = z.object({
  /** The scroll position of the page, in pixels. */
  scrolled: z.number(),
  /** The first visible creation, and its position on the screen. */
  first: z.object({ id: z.string(), top: z.number() }).nullable(),
  /** The creation that was opened from the list. */
  focused: z.string().nullable(),
});
type Place = z.infer<typeof placeSchema>;

/** For this long, lists and pictures of a restored page may still load and move its content. */
const GROWS_MS = 3_000;
const inputs = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/** Restores the scroll position of the list of creations after Back and Forward. */
export function useScrollRestoration(): void {
  const { key } = useLocation();
  const isBack = useNavigationType() === NavigationType.Pop;
  // The first page of every visit has the same key.
  const name = `place:${key === 'default' ? performance.timeOrigin : key}`;
  const remember = useEffectEvent(() => drafts.write(name, placeNow()));
  // Before the current page is unmounted.
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
    // Only when the list is mounted.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
}

const listedCreations = () => [...document.querySelectorAll<HTMLElement>('[data-creation]')];
const idOf = ({ dataset }: HTMLElement) => dataset['creation'] ?? '';

function placeNow(): Place {
  const first = listedCreations().find((element) => topOf(element) >= 0);
  const focused = document.activeElement?.closest('li')?.querySelector<HTMLElement>('[data-creation]');
  return {
    scrolled: window.scrollY,
    first: first ? { id: idOf(first), top: topOf(first) } : null,
    focused: focused ? idOf(focused) : null,
  };
}

/** Distance from the top of the screen in pixels, without running animations. */
function topOf(element: HTMLElement): number {
  let top = -window.scrollY;
  for (let at: Element | null = element; at instanceof HTMLElement; at = at.offsetParent) top += at.offsetTop;
  return top;
}

/** Scrolls to the position, again whenever the page grows, until the user scrolls. @returns a function that stops this */
function returnTo({ scrolled, first, focused }: Place): () => void {
  const scroll = () => {
    const anchor = first && listedCreations().find((element) => idOf(element) === first.id);
    if (anchor) window.scrollBy({ top: topOf(anchor) - first.top, behavior: 'instant' });
    else window.scrollTo({ top: scrolled, behavior: 'instant' });
    // The link that had the focus is no longer in the page.
    if (focused !== null && document.activeElement?.matches('body, main'))
      listedCreations()
        .find((element) => idOf(element) === focused)
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
