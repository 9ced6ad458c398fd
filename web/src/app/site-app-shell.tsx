import { RunsProvider } from './live/runs-provider';
import { Toasts } from '../shared/ui/toasts';
import { AppShell } from './app-shell';

export default function SiteAppShell() {
  return (
    <RunsProvider>
      <AppShell />
      <div aria-hidden="true" className="job-tray-spacer" />
      <Toasts />
    </RunsProvider>
  );
}
