import { Moon, Sun } from 'lucide-react';
import { toggleTheme, useTheme } from '../app/theme';

export function ThemeToggle() {
  const theme = useTheme();
  const Icon = theme === 'dark' ? Sun : Moon;
  return (
    <button
      type="button"
      onClick={(event) => void toggleTheme(event.currentTarget)}
      aria-label={theme === 'dark' ? 'Switch to the light theme' : 'Switch to the dark theme'}
      className="grid size-11 place-items-center rounded-control text-quiet transition-colors hover:bg-tint hover:text-ink"
    >
      <Icon aria-hidden="true" className="size-5" />
    </button>
  );
}
