import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '../app/paths';
import { useAccounts } from '../session/accounts';
import { Button, buttonClass } from './button';
import { Logo } from './logo';
import { ThemeToggle } from './theme-toggle';

interface SiteFrameProps {
  children: ReactNode;
  /** Links to the sections of this page. */
  sections?: ReactNode;
}

/** The public pages' frame: navigation, the page, the imprint. */
export function SiteFrame({ children, sections }: SiteFrameProps) {
  const { user, status, openSignIn } = useAccounts();
  return (
    <div className="grid min-h-dvh grid-rows-[auto_1fr_auto]">
      <header className="mx-auto flex h-20 w-full max-w-7xl items-center gap-1 px-4 sm:gap-2 sm:px-8">
        <Link
          to={paths.landing}
          aria-label="Pressroom, to the start page"
          className="mr-auto rounded-control p-1"
        >
          <Logo />
        </Link>
        <nav aria-label="Pages" className="flex items-center">
          {sections}
          {user !== null && (
            <Link to={paths.dashboard} className={buttonClass('quiet', 'small')}>
              Dashboard
            </Link>
          )}
        </nav>
        <ThemeToggle />
        {user === null && (
          <Button size="small" onClick={openSignIn} disabled={status !== 'ready'}>
            Get Started
          </Button>
        )}
      </header>
      <main>{children}</main>
      <footer className="mx-auto w-full max-w-7xl px-4 py-8 text-sm text-quiet sm:px-8">
        © {new Date().getFullYear()} Pressroom
      </footer>
    </div>
  );
}
