import { useState } from 'react';
import { Link } from 'react-router-dom';
import { Dialog } from 'radix-ui';
import { Menu, X } from 'lucide-react';
import { paths } from '../../app/paths';
import { Logo } from '../../components/logo';
import { Spinner } from '../../components/spinner';
import { ThemeToggle } from '../../components/theme-toggle';
import { useConnected } from '../../live/live-context';
import { SidebarPanel } from './sidebar';

export function TopBar() {
  const connected = useConnected();
  return (
    <header className="sticky top-0 z-20 col-span-full flex h-16 items-center gap-2 border-b border-line bg-page px-2 sm:px-4 lg:px-6">
      <MobileSidebar />
      <Link to={paths.landing} aria-label="Pressroom, to the start page" className="rounded-control p-1">
        <Logo />
      </Link>
      <div role="status" className="ml-auto text-sm text-quiet">
        {!connected && (
          <span className="flex animate-fade items-center gap-2">
            <Spinner />
            Reconnecting
          </span>
        )}
      </div>
      <ThemeToggle />
    </header>
  );
}

/** On small screens the sidebar comes in as a drawer; Radix keeps the focus in it and gives it back. */
function MobileSidebar() {
  const [open, setOpen] = useState(false);
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger
        aria-label="Open the menu"
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
