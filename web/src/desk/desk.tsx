import { lazy, Suspense, useEffect } from 'react';
import { palette, usePaletteOpen } from '../components/palette-state';
import { Tray } from './tray';
import { useAnnouncements } from './use-announcements';

const Palette = lazy(() => import('./palette'));

/** What a signed-in user has on every page: the tray, news of ended work, and the command palette on Ctrl+K. */
export function Desk() {
  useAnnouncements();
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
