import { useState } from 'react';
import type { AdminUserDetails, DeletionReceipt } from '#libs/contract/admin.js';
import { formatBytes } from '../../../shared/lib/check-file';
import { formatExact } from '../../../shared/lib/format';
import { saveFile } from '../../../shared/lib/save-file';
import { Button } from '../../../shared/ui/button';
import { PageHeading } from '../../../shared/ui/page-heading';
import { TextField } from '../../../shared/ui/text-field';
import { useDeleteUser } from '../admin-api';
import { Facts } from '../facts';
import { ReasonDialog } from '../reason-dialog';

interface DeleteDialogProps {
  user: AdminUserDetails;
  onDeleted: (receipt: DeletionReceipt) => void;
  onClose: () => void;
}

export function DeleteDialog({ user: { profile }, onDeleted, onClose }: DeleteDialogProps) {
  const remove = useDeleteUser(onDeleted);
  const [confirm, setConfirm] = useState('');
  const { id } = profile;
  return (
    <ReasonDialog
      title="Delete the user?"
      confirmLabel="Delete"
      variant="danger"
      mutation={remove}
      fields={
        <TextField
          label={`Repeat ${profile.email ?? id}`}
          value={confirm}
          autoComplete="off"
          onChange={({ currentTarget }) => setConfirm(currentTarget.value)}
        />
      }
      onConfirm={(reason) => remove.mutate({ id, reason, confirm })}
      onClose={onClose}
    >
      All rows and files of the user go. This cannot be undone.
    </ReasonDialog>
  );
}

export function Receipt({ receipt }: { receipt: DeletionReceipt }) {
  const sum = (rows: Record<string, number>) =>
    String(Object.values(rows).reduce((total, count) => total + count, 0));
  return (
    <>
      <PageHeading
        lead="Keep this receipt: it is shown only once."
        actions={
          <Button
            variant="primary"
            onClick={() =>
              saveFile(
                new Blob([JSON.stringify(receipt, null, 2)], { type: 'application/json' }),
                `deletion-${receipt.id}.json`,
              )
            }
          >
            Save the receipt
          </Button>
        }
      >
        The user is deleted
      </PageHeading>
      <Facts
        facts={{
          Id: receipt.id,
          'Deleted at': formatExact(receipt.deletedAt),
          By: receipt.operator,
          'Rows deleted': sum(receipt.rows),
          'Rows kept without the id': sum(receipt.unlinked),
          'Rows left': sum(receipt.left),
          'Files queued for deletion': `${receipt.files.count}, ${formatBytes(receipt.files.bytes)}`,
          'SHA-256': <span className="font-mono text-sm">{receipt.sha256}</span>,
        }}
      />
    </>
  );
}
