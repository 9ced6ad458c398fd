import { Link } from 'react-router-dom';
import { Menu as MenuIcon } from 'lucide-react';
import { paths } from '../../shared/paths';
import { useAccounts } from '../../shared/account/accounts';
import { Button, buttonClass } from '../../shared/ui/button';
import { Logo } from '../../shared/ui/logo';
import { ThemeToggle } from '../../shared/ui/theme-toggle';
import { Menu, menuItemClass } from './menu';
import { SectionLinks } from '../../shared/ui/section-links';
import { UserMenu } from './user-menu';

export function SiteBar() {
  const { user, status, openSignIn } = useAccounts();
  const pages = (className: string, onNavigate?: () => void) => (
    <>
      {user !== null && (
        <Link to={paths.dashboard} className={className} onClick={onNavigate}>
          Dashboard
        </Link>
      )}
      <SectionLinks className={className} onNavigate={onNavigate} />
    </>
  );
  return (
    <header className="fixed-bar sticky top-0 z-20 bg-page">
      <div className="mx-auto flex h-16 w-full max-w-7xl items-center gap-1 px-4 sm:gap-2 sm:px-8">
        <Link
          to={paths.landing}
          aria-label="Pressroom home"
          className="mr-auto flex min-h-11 items-center rounded-control p-1 max-[22.5rem]:[&_.display]:sr-only"
        >
          <Logo />
        </Link>
        <nav aria-label="Pages" className="flex items-center max-sm:hidden">
          {pages(buttonClass('quiet', 'small'))}
        </nav>
        <ThemeToggle />
        {user !== null ? (
          <UserMenu user={user} />
        ) : status === 'error' || status === 'degraded' ? (
          // If sign-in is unavailable, link to the dashboard, which shows the problem and later the sign-in form.
          <Link to={paths.dashboard} className={buttonClass('plain', 'small')}>
            Get Started
          </Link>
        ) : (
          <Button size="small" onClick={openSignIn} disabled={status !== 'ready'}>
            Get Started
          </Button>
        )}
        <Menu
          label="Menu"
          trigger={<MenuIcon aria-hidden="true" className="size-5" />}
          className="-mr-2 sm:hidden"
        >
          {(close) => <nav aria-label="Pages">{pages(menuItemClass, close)}</nav>}
        </Menu>
      </div>
    </header>
  );
}
