import { lazy, Suspense, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { Menu, Search } from 'lucide-react';
import { paths } from '../../shared/paths';
import { buttonClass } from '../../shared/ui/button';
import { ConnectionState } from './connection-state';
import { Logo } from '../../shared/ui/logo';
import { commandPalette } from '../../shared/lib/command-palette-state';
import { SectionLinks } from '../../shared/ui/section-links';
import { ThemeToggle } from '../../shared/ui/theme-toggle';

const Drawer = lazy(() => import('./drawer'));

export function TopBar() {
  return (
    <header className="fixed-bar sticky top-0 z-20 col-span-full flex h-16 items-center gap-2 border-b border-line bg-page px-2 sm:px-4 lg:px-6">
      <MobileSidebar />
      <Link
        to={paths.landing}
        aria-label="Pressroom home"
        className="flex min-h-11 items-center rounded-control p-1"
      >
        <Logo />
      </Link>
      <div className="ml-auto">
        <ConnectionState />
      </div>
      <nav aria-label="Start page" className="flex max-md:hidden">
        <SectionLinks className={buttonClass('quiet', 'small')} />
      </nav>
      <PaletteButton />
      <ThemeToggle />
    </header>
  );
}

function PaletteButton() {
  return (
    <button
      type="button"
      onClick={commandPalette.show}
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      className="flex min-h-11 items-center gap-3 rounded-control px-3 text-sm text-quiet transition-colors hover:bg-tint hover:text-ink sm:min-h-9 sm:border sm:border-line"
    >
      <Search aria-hidden="true" className="size-5 sm:size-4" />
      <span className="max-sm:sr-only">Search</span>
      <kbd aria-hidden="true" className="font-mono text-xs max-sm:hidden">
        {/Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K'}
      </kbd>
    </button>
  );
}

function MobileSidebar() {
  const [open, setOpen] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        ref={trigger}
        type="button"
        aria-label="Open the menu"
        aria-haspopup="dialog"
        aria-expanded={open}
        data-drawer-trigger
        onClick={() => setOpen(true)}
        className="grid size-11 place-items-center rounded-control hover:bg-tint lg:hidden"
      >
        <Menu aria-hidden="true" className="size-5" />
      </button>
      <Suspense fallback={null}>
        {open && <Drawer trigger={trigger} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  );
}
