import { useCallback, useEffect, useState } from 'react';
import type { Job } from '#libs/contract/jobs.js';
import { useAccounts } from '../../../shared/account/accounts';
import { sentImages, type SentImage } from '../../../shared/drafts/file-drafts';

/** The number of originals that this browser stores for each tool. The server deletes its copies within an hour of the job's end. */
const KEPT = 5;

/** The prefix of the names of a tool's originals. */
const slotsOf = (user: string, tool: string): string[] =>
  Array.from({ length: KEPT }, (_, index) => `${user}:${tool}:sent:${index}`);

const readSlots = (slots: string[]) => Promise.all(slots.map((slot) => sentImages.read(slot)));

/** The stored input images of the latest jobs of a tool. */
export const readSent = async (user: string, tool: string): Promise<SentImage[]> =>
  (await readSlots(slotsOf(user, tool))).filter((sent) => sent !== null);

/** The tools that change an image. */
const tools = ['remove-image-background', 'remove-image-object'] as const;

/** Stores the input images of a job, and deletes the oldest of the tool. */
export function useKeepSent(): (sent: Omit<SentImage, 'time'>) => Promise<void> {
  const user = useAccounts().user?.id ?? '';
  return useCallback((sent) => writeSlot(slotsOf(user, sent.tool), { ...sent, time: Date.now() }), [user]);
}

/** Moves the input images of a job to its retry. */
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

/** The input images of a job; null if this browser does not store them, undefined while they are loading. */
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

/** Replaces the entry of the same job, or else the oldest. */
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
