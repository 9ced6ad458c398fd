import { Switch } from '../../shared/ui/switch';
import { setNotificationsEnabled, useNotificationState } from './notifications';

const hints = {
  denied: 'Your browser blocks notifications from this site. Allow them in its site settings.',
  off: 'Get a notification when a job of more than ten seconds ends while this tab is hidden.',
  on: 'You get a notification when a job of more than ten seconds ends while this tab is hidden.',
};

export function NotificationSwitch() {
  const state = useNotificationState();
  if (state === 'unsupported') return null;
  return (
    <div className="border-t border-line px-4 py-3">
      <Switch
        label="Notify me"
        hint={hints[state]}
        checked={state === 'on'}
        onChange={(enabled) => void setNotificationsEnabled(enabled)}
      />
    </div>
  );
}
