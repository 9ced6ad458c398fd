import { useCallback, useEffect, useState } from 'react';
import type { Job } from '#libs/contract/jobs.js';
import { useAccounts } from '../../../shared/account/accounts';
import { sentImages, type SentImage } from '../../../shared/drafts/file-drafts';

/** How many originals of each tool this browser keeps. The server deletes them within an hour of their job's end. */
const KEPT = 5;

/** The names of a tool's originals among the user's drafts. */
const slotsOf = (user: string, tool: string): string[] =>
  Array.from({ length: KEPT }, (_, index) => `${user}:${tool}:sent:${index}`);

const readSlots = (slots: string[]) => Promise.all(slots.map((slot) => sentImages.read(slot)));

/** What the latest jobs of a tool were given. */
export const readSent = async (user: string, tool: string): Promise<SentImage[]> =>
  (await readSlots(slotsOf(user, tool))).filter((sent) => sent !== null);

/** The tools that change an image. */
const tools = ['remove-image-background', 'remove-image-object'] as const;

/** Keeps what a job was made from an image with, and forgets the oldest of its tool. */
export function useKeepSent(): (sent: Omit<SentImage, 'time'>) => Promise<void> {
  const user = useAccounts().user?.id ?? '';
  return useCallback((sent) => writeSlot(slotsOf(user, sent.tool), { ...sent, time: Date.now() }), [user]);
}

/** Has what a job was given belong to the one that tries it again. */
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

/** What a job was given; null if this browser no longer has it, undefined until that is known. */
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

/** In place of the same job's, or else of the oldest. */
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
