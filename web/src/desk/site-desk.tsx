import { Toasts } from '../components/toasts';
import { LiveProvider } from '../live/live-provider';
import { Desk } from './desk';

/** The desk of a signed-in user on a public page, where the signed-in area's code is not loaded otherwise. */
export default function SiteDesk() {
  return (
    <LiveProvider>
      <Desk />
      <div aria-hidden="true" className="tray-room" />
      <Toasts />
    </LiveProvider>
  );
}
