import { useState } from 'react';
import toast from 'react-hot-toast';
import type { AdminUserDetails } from '#libs/contract/admin.js';
import { userLimitsSchema } from '#libs/contract/account.js';
import { TextField } from '../../../shared/ui/text-field';
import { useActOnUser } from '../admin-api';
import { ReasonDialog } from '../reason-dialog';

const MB = 1024 * 1024;
const WEEK_MS = 7 * 86_400_000;

/** Gives a user other limits for a time. */
export function LimitsDialog({
  user: { profile, limits },
  onClose,
}: {
  user: AdminUserDetails;
  onClose: () => void;
}) {
  const act = useActOnUser();
  const [jobs, setJobs] = useState(String(limits?.unfinishedJobs ?? ''));
  const [storage, setStorage] = useState(limits?.storageBytes ? String(limits.storageBytes / MB) : '');
  const [until, setUntil] = useState(
    (limits?.until ?? new Date(Date.now() + WEEK_MS).toISOString()).slice(0, 10),
  );
  const [errors, setErrors] = useState<Record<string, string>>({});
  const change = (set: () => void) => {
    setErrors({});
    set();
  };
  const confirm = (reason: string) => {
    const given = userLimitsSchema.safeParse({
      unfinishedJobs: jobs.trim() === '' ? null : Number(jobs),
      storageBytes: storage.trim() === '' ? null : Number(storage) * MB,
      // A time that was not chosen here stays.
      until: limits?.until.startsWith(until) ? limits.until : `${until}T00:00:00Z`,
    });
    if (!given.success)
      return setErrors(
        Object.fromEntries(given.error.issues.map(({ path, message }) => [String(path[0]), message])),
      );
    if (given.data.unfinishedJobs === null && given.data.storageBytes === null)
      return setErrors({ unfinishedJobs: 'Give a number of jobs, or of megabytes.' });
    act.mutate(
      { id: profile.id, reason, act: { kind: 'limits', limits: given.data } },
      {
        onSuccess: () => {
          toast.success('Done');
          onClose();
        },
      },
    );
  };
  return (
    <ReasonDialog
      title="Give other limits for a time?"
      confirmLabel="Save"
      mutation={act}
      fields={
        <>
          <TextField
            label="Unfinished jobs"
            inputMode="numeric"
            value={jobs}
            error={errors['unfinishedJobs']}
            onChange={({ currentTarget }) => change(() => setJobs(currentTarget.value))}
          />
          <TextField
            label="Storage in MB"
            inputMode="numeric"
            value={storage}
            error={errors['storageBytes']}
            onChange={({ currentTarget }) => change(() => setStorage(currentTarget.value))}
          />
          <TextField
            label="Until"
            hint="The first day without them, in UTC."
            type="date"
            required
            value={until}
            error={errors['until']}
            onChange={({ currentTarget }) => change(() => setUntil(currentTarget.value))}
          />
        </>
      }
      onConfirm={confirm}
      onClose={onClose}
    >
      Higher or lower than those of server and plan. An empty field keeps that limit.
    </ReasonDialog>
  );
}
