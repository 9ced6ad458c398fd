import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { AdminUserDetails, DeletionReceipt } from '#libs/contract/admin.js';
import { paths } from '../../../shared/paths';
import { Button, buttonClass } from '../../../shared/ui/button';
import { ActDialog, type ActDialogProps } from './act-dialog';
import { CreditsDialog } from './credits-dialog';
import { DeleteDialog } from './delete-user';
import { LimitsDialog } from './limits-dialog';

type OpenDialog = 'credits' | 'limits' | 'delete' | Omit<ActDialogProps, 'id' | 'onClose'>;

interface UserActionsProps {
  user: AdminUserDetails;
  onDeleted: (receipt: DeletionReceipt) => void;
}

export function UserActions({ user, onDeleted }: UserActionsProps) {
  const [opened, setOpened] = useState<OpenDialog | null>(null);
  const { profile, plan, limits, suspendedAt } = user;
  const otherPlan = plan === 'free' ? 'premium' : 'free';
  const close = () => setOpened(null);
  const button = (label: string, dialog: OpenDialog, variant: 'plain' | 'danger' = 'plain') => (
    <Button size="small" variant={variant} onClick={() => setOpened(dialog)}>
      {label}
    </Button>
  );
  return (
    <div className="flex flex-wrap gap-2">
      <Link
        className={buttonClass('plain', 'small')}
        to={`${paths.adminJobs}?user=${encodeURIComponent(profile.id)}`}
      >
        Jobs
      </Link>
      {button('Credits', 'credits')}
      {button('Limits', 'limits')}
      {limits &&
        button('End temporary limits', {
          title: 'End the temporary limits?',
          confirmLabel: 'End them',
          children: 'Those of server and plan take effect at once.',
          act: { kind: 'limits', limits: null },
        })}
      {button(`Make ${otherPlan}`, {
        title: `Change the plan to ${otherPlan}?`,
        confirmLabel: 'Change the plan',
        children: 'It takes effect at once.',
        act: { kind: 'plan', plan: otherPlan },
      })}
      {button('Sign out', {
        title: 'Sign out everywhere?',
        confirmLabel: 'Sign out',
        children:
          'All sessions end at once, on every device, and connected apps are disconnected. API keys stay.',
        act: { kind: 'sign-out' },
      })}
      {suspendedAt
        ? button('End the suspension', {
            title: 'End the suspension?',
            confirmLabel: 'End it',
            children: 'The user may sign in again.',
            act: { kind: 'unsuspend' },
          })
        : button(
            'Suspend',
            {
              title: 'Suspend the user?',
              confirmLabel: 'Suspend',
              children: 'Sessions and keys end, apps are disconnected, waiting jobs are cancelled.',
              isReasonShown: true,
              act: { kind: 'suspend' },
            },
            'danger',
          )}
      {button('Delete', 'delete', 'danger')}
      {opened === 'credits' && <CreditsDialog id={profile.id} onClose={close} />}
      {opened === 'limits' && <LimitsDialog user={user} onClose={close} />}
      {opened === 'delete' && <DeleteDialog user={user} onDeleted={onDeleted} onClose={close} />}
      {opened !== null && typeof opened === 'object' && (
        <ActDialog id={profile.id} {...opened} onClose={close} />
      )}
    </div>
  );
}
