import { createContext, use, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { ignoreErrors } from './lib/ignore-errors';

export type Theme = 'dark' | 'light';

const KEY = 'theme';
const TRANSITION_MS = 800;
const barColors: Record<Theme, string> = { dark: '#131210', light: '#FAF7F2' };
const listeners = new Set<() => void>();

const root = () => document.documentElement;
export const currentTheme = (): Theme => (root().dataset['theme'] === 'light' ? 'light' : 'dark');

function apply(theme: Theme): void {
  root().dataset['theme'] = theme;
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', barColors[theme]);
  for (const listener of listeners) listener();
}

let lightSwitch: HTMLAudioElement | null = null;

/** Plays the sound of a light switch, unless the browser blocks it. */
function playClick(): void {
  lightSwitch ??= new Audio('/sounds/light-switch.mp3');
  lightSwitch.currentTime = 0;
  lightSwitch.play().catch(() => undefined);
}

/**
 * Switches the theme. The new theme appears in a circle that grows from `button`, unless the user prefers reduced motion.
 */
export async function toggleTheme(button: Element): Promise<void> {
  const next: Theme = currentTheme() === 'dark' ? 'light' : 'dark';
  ignoreErrors(() => localStorage.setItem(KEY, next));
  playClick();
  const reducedMotion = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  if (reducedMotion || !('startViewTransition' in document)) {
    apply(next);
    return;
  }
  const { left, top, width, height } = button.getBoundingClientRect();
  const x = left + width / 2;
  const y = top + height / 2;
  const radius = Math.hypot(Math.max(x, innerWidth - x), Math.max(y, innerHeight - y));
  const transition = document.startViewTransition(() => flushSync(() => apply(next)));
  try {
    await transition.ready;
  } catch {
    // The browser skipped the animation (hidden page or a second toggle). The theme has changed anyway.
    return;
  }
  root().animate(
    { clipPath: [`circle(0 at ${x}px ${y}px)`, `circle(${radius}px at ${x}px ${y}px)`] },
    { duration: TRANSITION_MS, easing: 'ease-in-out', pseudoElement: '::view-transition-new(root)' },
  );
}

/** Applies changes of the theme from other tabs. @returns a function that removes the listener */
export function syncThemeAcrossTabs(): () => void {
  const onStorage = (event: StorageEvent) => {
    // The key is null if the whole storage was cleared.
    if (event.key === KEY || event.key === null) apply(event.newValue === 'light' ? 'light' : 'dark');
  };
  window.addEventListener('storage', onStorage);
  return () => window.removeEventListener('storage', onStorage);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The theme of a part of the page that does not have the page's. */
export const ThemeContext = createContext<Theme | null>(null);

export function useTheme(): Theme {
  const ofPage = useSyncExternalStore(subscribe, currentTheme);
  return use(ThemeContext) ?? ofPage;
}
