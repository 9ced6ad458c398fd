import { lazy, Suspense, useLayoutEffect } from 'react';
import { commandPalette, useCommandPaletteOpen } from '../shared/lib/command-palette-state';
import { JobTray } from '../features/job-tray/job-tray';
import { useJobEndMessages } from '../features/job-tray/use-job-end-messages';

const CommandPalette = lazy(() => import('../features/command-palette/command-palette'));

/** What a signed-in user has on every page: the job tray, messages when jobs end, and the command palette on Ctrl+K. */
export function AppShell() {
  useJobEndMessages();
  const open = useCommandPaletteOpen();
  // Before the page is drawn: who sees it may press the keys.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      if (event.altKey || event.shiftKey || event.defaultPrevented) return;
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
