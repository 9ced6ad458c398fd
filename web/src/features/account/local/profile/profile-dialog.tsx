import { useState } from 'react';
import { Tabs } from 'radix-ui';
import { Dialog } from '../../../../shared/ui/dialog';
import { useAccounts } from '../../../../shared/account/accounts';
import { DeleteSection } from './delete-section';
import { EmailSection } from './email-section';
import { ExportSection } from '../../export-section';
import { NameForm } from './name-form';
import { PictureField } from './picture-field';
import { PlanSection } from './plan-section';
import { SecuritySection } from './security-section';
import { SessionsSection } from './sessions-section';

const tabs = [
  { value: 'profile', label: 'Profile' },
  { value: 'security', label: 'Security' },
  { value: 'sessions', label: 'Sessions' },
  { value: 'delete', label: 'Delete' },
] as const;

export type AccountSection = 'security' | 'sessions';

interface ProfileDialogProps {
  section?: 'profile' | AccountSection;
  onClose: () => void;
  onDeleted: () => void;
}

export default function ProfileDialog({ section = 'profile', onClose, onDeleted }: ProfileDialogProps) {
  const { user } = useAccounts();
  /** True while recovery codes are shown, which are not shown again. */
  const [guarded, setGuarded] = useState(false);
  if (user === null) return null;
  return (
    <Dialog label="Your account" wide guarded={guarded} onClose={onClose}>
      <h2 className="text-2xl">Your account</h2>
      <Tabs.Root defaultValue={section} className="mt-5">
        <Tabs.List
          aria-label="Your account"
          className="-mx-1 flex justify-between border-b border-line min-[22.5rem]:justify-start sm:gap-2"
        >
          {tabs.map(({ value, label }) => (
            <Tabs.Trigger
              key={value}
              value={value}
              disabled={guarded}
              className="-mb-px min-h-11 border-b-2 border-transparent px-0.5 text-[0.9375rem] text-quiet transition-colors hover:text-ink disabled:opacity-50 min-[22.5rem]:px-2.5 data-[state=active]:border-accent data-[state=active]:font-semibold data-[state=active]:text-ink"
            >
              {label}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <div className="min-h-[26rem] pt-6">
          <Tabs.Content value="profile" className="grid gap-6 outline-offset-8">
            <PictureField user={user} />
            <NameForm user={user} />
            <EmailSection user={user} />
            <PlanSection />
            <ExportSection />
          </Tabs.Content>
          <Tabs.Content value="security" className="outline-offset-8">
            <SecuritySection user={user} onGuard={setGuarded} />
          </Tabs.Content>
          <Tabs.Content value="sessions" className="outline-offset-8">
            <SessionsSection />
          </Tabs.Content>
          <Tabs.Content value="delete" className="outline-offset-8">
            <DeleteSection user={user} onDeleted={onDeleted} />
          </Tabs.Content>
        </div>
      </Tabs.Root>
    </Dialog>
  );
}
