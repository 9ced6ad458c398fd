import { lazy, Suspense, useEffect } from 'react';
import { palette, usePaletteOpen } from '../shared/lib/palette-state';
import { Tray } from '../features/job-tray/tray';
import { useJobEndMessages } from '../features/job-tray/use-job-end-messages';

const Palette = lazy(() => import('../features/command-palette/palette'));

/** What a signed-in user has on every page: the job tray, messages when jobs end, and the command palette on Ctrl+K. */
export function AppShell() {
  useJobEndMessages();
  const open = usePaletteOpen();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      if (event.altKey || event.shiftKey) return;
      event.preventDefault();
      palette.toggle();
    };
    window.addEventListener('keydown', onKey);
    return () => {
      window.removeEventListener('keydown', onKey);
      palette.close();
    };
  }, []);
  return (
    <>
      <Tray />
      <Suspense fallback={null}>{open && <Palette />}</Suspense>
    </>
  );
}
