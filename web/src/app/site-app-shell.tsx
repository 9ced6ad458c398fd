import { JobsProvider } from './live/jobs-provider';
import { Toasts } from '../shared/ui/toasts';
import { AppShell } from './app-shell';

export default function SiteAppShell() {
  return (
    <JobsProvider>
      <AppShell />
      <div aria-hidden="true" className="job-tray-spacer" />
      <Toasts />
    </JobsProvider>
  );
}
