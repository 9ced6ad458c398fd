import { Moon, Sun } from 'lucide-react';
import { toggleTheme } from '../theme';

/** Button that switches the theme. Renders both icons and lets CSS hide one, since the prerendered HTML has no theme. */
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
