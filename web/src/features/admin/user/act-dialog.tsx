import toast from 'react-hot-toast';
import { useActOnUser, type UserAct } from '../admin-api';
import { ReasonDialog } from '../reason-dialog';

export interface ActDialogProps {
  /** Id of the user. */
  id: string;
  title: string;
  /** What follows from the act. */
  children: string;
  confirmLabel: string;
  isReasonShown?: boolean;
  act: UserAct;
  onClose: () => void;
}

/** Asks for the reason of an act on a user, and does it. */
export function ActDialog({ id, act, children, onClose, ...texts }: ActDialogProps) {
  const actOnUser = useActOnUser();
  const confirm = (reason: string) =>
    actOnUser.mutate(
      { id, reason, act },
      {
        onSuccess: ({ user }) => {
          toast.success(
            act.kind === 'suspend' && user.suspendedReason !== reason
              ? 'The user was suspended before, and the first reason stays.'
              : 'Done',
          );
          onClose();
        },
      },
    );
  return (
    <ReasonDialog {...texts} mutation={actOnUser} onConfirm={confirm} onClose={onClose}>
      {children}
    </ReasonDialog>
  );
}
