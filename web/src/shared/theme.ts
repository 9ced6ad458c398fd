import { useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';

export type Theme = 'dark' | 'light';

const KEY = 'theme';
const TRANSITION_MS = 800;
const barColors: Record<Theme, string> = { dark: '#131210', light: '#FAF7F2' };
const listeners = new Set<() => void>();

const root = () => document.documentElement;
const current = (): Theme => (root().dataset['theme'] === 'light' ? 'light' : 'dark');

function show(theme: Theme): void {
  root().dataset['theme'] = theme;
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', barColors[theme]);
  for (const listener of listeners) listener();
}

function keep(theme: Theme): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Closed storage: the choice holds for this page.
  }
}

let lightSwitch: HTMLAudioElement | null = null;

/** The click of a light switch. A browser that plays nothing, or not yet, is silent. */
function click(): void {
  lightSwitch ??= new Audio('/sounds/light-switch.mp3');
  lightSwitch.currentTime = 0;
  lightSwitch.play().catch(() => undefined);
}

/** Changes the theme as a circle that opens from `button`, where the browser can and the user wants motion. */
export async function toggleTheme(button: Element): Promise<void> {
  const next: Theme = current() === 'dark' ? 'light' : 'dark';
  keep(next);
  click();
  const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  if (still || !('startViewTransition' in document)) {
    show(next);
    return;
  }
  const { left, top, width, height } = button.getBoundingClientRect();
  const x = left + width / 2;
  const y = top + height / 2;
  const radius = Math.hypot(Math.max(x, innerWidth - x), Math.max(y, innerHeight - y));
  const transition = document.startViewTransition(() => flushSync(() => show(next)));
  try {
    await transition.ready;
  } catch {
    // The browser skipped the transition (a hidden page, a second toggle); the theme has changed all the same.
    return;
  }
  root().animate(
    { clipPath: [`circle(0 at ${x}px ${y}px)`, `circle(${radius}px at ${x}px ${y}px)`] },
    { duration: TRANSITION_MS, easing: 'ease-in-out', pseudoElement: '::view-transition-new(root)' },
  );
}

/** Follows the theme that another tab chooses, until the function it answers is called. */
export function followOtherTabs(): () => void {
  const onStorage = (event: StorageEvent) => {
    // Without a key, all that was stored is gone.
    if (event.key === KEY || event.key === null) show(event.newValue === 'light' ? 'light' : 'dark');
  };
  window.addEventListener('storage', onStorage);
  return () => window.removeEventListener('storage', onStorage);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export const useTheme = (): Theme => useSyncExternalStore(subscribe, current);
