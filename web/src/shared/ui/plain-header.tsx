import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Logo } from './logo';
import { ThemeToggle } from './theme-toggle';

/** Header of a page without the workspace: the logo, which leads to `home`, and the theme. */
export function PlainHeader({ home, children }: { home: string; children?: ReactNode }) {
  return (
    <header className="flex h-16 items-center gap-2 px-4 sm:px-6">
      <Link
        to={home}
        aria-label="Pressroom home"
        className="mr-auto flex min-h-11 items-center rounded-control py-1"
      >
        <Logo />
      </Link>
      {children}
      <ThemeToggle />
    </header>
  );
}
