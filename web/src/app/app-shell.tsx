import { lazy, Suspense, useLayoutEffect } from 'react';
import { commandPalette, useCommandPaletteOpen } from '../shared/lib/command-palette-state';
import { isModShortcut } from '../shared/lib/shortcut-key';
import { JobTray } from '../features/job-tray/job-tray';
import { useJobEndMessages } from '../features/job-tray/use-job-end-messages';

const CommandPalette = lazy(() => import('../features/command-palette/command-palette'));

/** Parts that every page has for signed-in users: job tray, toasts when jobs end, and command palette (Ctrl+K). */
export function AppShell() {
  useJobEndMessages();
  const open = useCommandPaletteOpen();
  // A layout effect runs before the first paint, so that the shortcut works as soon as the page is visible.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isModShortcut(event, 'k') || event.defaultPrevented) return;
      event.preventDefault();
      commandPalette.toggle();
    };
    window.addEventListener('keydown', onKey);
    return () => {
      window.removeEventListener('keydown', onKey);
      commandPalette.close();
    };
  }, []);
  return (
    <>
      <JobTray />
      <Suspense fallback={null}>{open && <CommandPalette />}</Suspense>
    </>
  );
}
