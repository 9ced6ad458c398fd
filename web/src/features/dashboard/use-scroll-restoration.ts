import { useEffect, useEffectEvent, useLayoutEffect } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom';
import { z } from 'zod';
import { drafts } from '../../shared/drafts/drafts';

const placeSchema = z.object({
  /** Scroll position of the page in pixels. */
  scrolled: z.number(),
  /** First visible creation, and its distance from the top of the viewport in pixels. */
  first: z.object({ id: z.string(), top: z.number() }).nullable(),
  /** ID of the creation that had the focus, usually because the user opened it. */
  focused: z.string().nullable(),
});
type Place = z.infer<typeof placeSchema>;

/** Time for which the scroll position is corrected, because lists and pictures still load and move the content. */
const GROWS_MS = 3_000;
const inputs = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/** Restores the scroll position of the list of creations after Back and Forward. */
export function useScrollRestoration(): void {
  const { key } = useLocation();
  const isBack = useNavigationType() === NavigationType.Pop;
  // The first page of every visit has the key `default`, so use the time of the visit instead.
  const name = `place:${key === 'default' ? performance.timeOrigin : key}`;
  const remember = useEffectEvent(() => drafts.write(name, placeNow()));
  // The cleanup of a layout effect runs before the DOM is removed, so the positions can still be measured.
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
    // Restore only on mount, not when the URL changes while the list stays mounted.
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

/**
 * Distance from the top of the viewport in pixels. Unlike getBoundingClientRect, ignores transforms of running animations.
 */
function topOf(element: HTMLElement): number {
  let top = -window.scrollY;
  for (let at: Element | null = element; at instanceof HTMLElement; at = at.offsetParent) top += at.offsetTop;
  return top;
}

/**
 * Scrolls to the position, again whenever the page's size changes, until user input or a timeout.
 * @returns function to stop
 */
function returnTo({ scrolled, first, focused }: Place): () => void {
  const scroll = () => {
    const anchor = first && listedCreations().find((element) => idOf(element) === first.id);
    if (anchor) window.scrollBy({ top: topOf(anchor) - first.top, behavior: 'instant' });
    else window.scrollTo({ top: scrolled, behavior: 'instant' });
    // The list was rendered anew, so focus the link that had the focus, unless the user has moved it.
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
