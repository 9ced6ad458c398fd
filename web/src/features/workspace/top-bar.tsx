import { useState } from 'react';
import { Link } from 'react-router-dom';
import { Dialog } from 'radix-ui';
import { Menu, Search, X } from 'lucide-react';
import { paths } from '../../shared/paths';
import { buttonClass } from '../../shared/ui/button';
import { ConnectionState } from './connection-state';
import { Logo } from '../../shared/ui/logo';
import { commandPalette } from '../../shared/lib/command-palette-state';
import { SectionLinks } from '../../shared/ui/section-links';
import { ThemeToggle } from '../../shared/ui/theme-toggle';
import { SidebarPanel } from './sidebar';

export function TopBar() {
  return (
    <header className="fixed-bar sticky top-0 z-20 col-span-full flex h-16 items-center gap-2 border-b border-line bg-page px-2 sm:px-4 lg:px-6">
      <MobileSidebar />
      <Link to={paths.landing} aria-label="Pressroom, to the start page" className="rounded-control p-1">
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
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger
        aria-label="Open the menu"
        data-drawer-trigger
        className="grid size-11 place-items-center rounded-control hover:bg-tint lg:hidden"
      >
        <Menu aria-hidden="true" className="size-5" />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-30 animate-fade bg-[var(--shade)] lg:hidden" />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed inset-y-0 left-0 z-40 w-[min(19rem,85vw)] animate-slide border-r border-line bg-page pt-14 outline-none lg:hidden"
        >
          <Dialog.Title className="sr-only">Menu</Dialog.Title>
          <Dialog.Close
            aria-label="Close the menu"
            className="absolute top-2.5 left-2 grid size-11 place-items-center rounded-control hover:bg-tint"
          >
            <X aria-hidden="true" className="size-5" />
          </Dialog.Close>
          <SidebarPanel onNavigate={() => setOpen(false)} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
