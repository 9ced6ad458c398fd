import { Moon, Sun } from 'lucide-react';
import { toggleTheme } from '../theme';

/** Renders both icons, and CSS shows one, since the prerendered HTML is the same for both themes. */
export function ThemeToggle() {
  return (
    <button
      type="button"
      onClick={(event) => void toggleTheme(event.currentTarget)}
      className="grid size-11 place-items-center rounded-control text-quiet transition-colors hover:bg-tint hover:text-ink"
    >
      <span className="not-dark:hidden">
        <Sun aria-hidden="true" className="size-5" />
        <span className="sr-only">Switch to the light theme</span>
      </span>
      <span className="dark:hidden">
        <Moon aria-hidden="true" className="size-5" />
        <span className="sr-only">Switch to the dark theme</span>
      </span>
    </button>
  );
}
