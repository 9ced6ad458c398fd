import { useCallback, useEffect, useState } from 'react';
import type { Job } from '#libs/contract/jobs.js';
import { useAccounts } from '../../../shared/account/accounts';
import { sentImages, type SentImage } from '../../../shared/drafts/file-drafts';

/**
 * Number of input images that this browser stores for each tool, to compare or edit results later. The server deletes its
 * copies within an hour of the job's end.
 */
const KEPT = 5;

/** Storage keys for the input images of a tool. */
const slotsOf = (user: string, tool: string): string[] =>
  Array.from({ length: KEPT }, (_, index) => `${user}:${tool}:sent:${index}`);

const readSlots = (slots: string[]) => Promise.all(slots.map((slot) => sentImages.read(slot)));

/** Reads the stored input images of a tool's latest jobs. */
export const readSent = async (user: string, tool: string): Promise<SentImage[]> =>
  (await readSlots(slotsOf(user, tool))).filter((sent) => sent !== null);

/** The tools whose input images are stored. */
const tools = ['remove-image-background', 'remove-image-object'] as const;

/** Stores the input images of a job. If the tool has `KEPT` entries already, replaces the oldest. */
export function useKeepSent(): (sent: Omit<SentImage, 'time'>) => Promise<void> {
  const user = useAccounts().user?.id ?? '';
  return useCallback((sent) => writeSlot(slotsOf(user, sent.tool), { ...sent, time: Date.now() }), [user]);
}

/** Assigns the stored input images of a job to its retry, `next`. */
export function useMoveSent(): (jobId: string, next: Job) => Promise<void> {
  const user = useAccounts().user?.id ?? '';
  return useCallback(
    async (jobId, { id, tool }) => {
      if (!tools.some((name) => name === tool)) return;
      for (const slot of slotsOf(user, tool)) {
        const sent = await sentImages.read(slot);
        if (sent?.jobId === jobId) await sentImages.write(slot, { ...sent, jobId: id });
      }
    },
    [user],
  );
}

/** Input images of a job; null if this browser doesn't store them, undefined while they are loading. */
export function useSentImage(jobId: string | null): SentImage | null | undefined {
  const user = useAccounts().user?.id ?? '';
  const [found, setFound] = useState<{ jobId: string; sent: SentImage | null }>();
  useEffect(() => {
    if (jobId === null) return;
    let current = true;
    const slots = tools.flatMap((tool) => slotsOf(user, tool));
    void readSlots(slots).then(
      (stored) => current && setFound({ jobId, sent: stored.find((sent) => sent?.jobId === jobId) ?? null }),
    );
    return () => {
      current = false;
    };
  }, [user, jobId]);
  if (jobId === null) return null;
  return found?.jobId === jobId ? found.sent : undefined;
}

/** Writes to the slot that has the same job, or else to an empty slot or the oldest. */
async function writeSlot(slots: string[], sent: SentImage): Promise<void> {
  const stored = await readSlots(slots);
  const age = (index: number) => {
    const before = stored[index];
    return before?.jobId === sent.jobId ? -Infinity : (before?.time ?? -1);
  };
  const [oldest] = slots.map((_, index) => index).sort((one, other) => age(one) - age(other));
  const slot = oldest === undefined ? undefined : slots[oldest];
  if (slot !== undefined) await sentImages.write(slot, sent);
}
