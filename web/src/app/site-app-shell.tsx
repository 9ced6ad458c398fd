import { LiveProvider } from '../shared/jobs/live-provider';
import { Toasts } from '../shared/ui/toasts';
import { AppShell } from './app-shell';

/** The app shell of a signed-in user on a public page. */
export default function SiteAppShell() {
  return (
    <LiveProvider>
      <AppShell />
      <div aria-hidden="true" className="tray-room" />
      <Toasts />
    </LiveProvider>
  );
}
