import { useCallback, useEffect, useMemo, useState } from 'react';
import type { ToolName } from '#libs/tools/catalogue.js';
import { useAccounts } from '../session/accounts';
import { fileDrafts } from '../drafts/file-drafts';
import { useObjectUrl } from '../lib/use-object-url';

interface OriginalImage {
  /** The object URL of the shown job's original; null, as the file is, if this browser no longer has it. */
  url: string | null;
  file: File | null;
  store: (jobId: string, file: File) => void;
}

/** How many originals of each tool this browser keeps. The server deletes them within an hour of their job's end. */
const KEPT = 5;

/** The names of a tool's originals among the user's drafts. Each file is named by the id of its job. */
const useSlots = (tool: ToolName): string[] => {
  const user = useAccounts().user?.id ?? '';
  return useMemo(() => Array.from({ length: KEPT }, (_, i) => `${user}:${tool}:before:${i}`), [user, tool]);
};

const readSlots = (slots: string[]) => Promise.all(slots.map((slot) => fileDrafts.read(slot)));

/** The original of a tool's job, for comparison with the result. After a reload only the latest ones are available. */
export function useOriginalImage(tool: ToolName, jobId: string | null): OriginalImage {
  const slots = useSlots(tool);
  const [files, setFiles] = useState<Readonly<Record<string, File>>>({});

  useEffect(() => {
    let current = true;
    void readSlots(slots).then((stored) => {
      const known = stored.filter((file) => file !== null).map((file) => [file.name, file] as const);
      if (current) setFiles((others) => ({ ...Object.fromEntries(known), ...others }));
    });
    return () => {
      current = false;
    };
  }, [slots]);

  const store = useCallback(
    (id: string, file: File) => {
      setFiles((others) => ({ ...others, [id]: file }));
      void writeSlot(slots, new File([file], id, { type: file.type, lastModified: Date.now() }));
    },
    [slots],
  );
  const file = (jobId !== null && files[jobId]) || null;
  return { url: useObjectUrl(file), file, store };
}

/** The original of one job; null if this browser no longer has it, undefined until that is known. */
export function useKeptOriginal(tool: ToolName, jobId: string | null): File | null | undefined {
  const slots = useSlots(tool);
  const [found, setFound] = useState<{ jobId: string | null; file: File | null }>();
  useEffect(() => {
    let current = true;
    void readSlots(slots).then(
      (stored) => current && setFound({ jobId, file: stored.find((file) => file?.name === jobId) ?? null }),
    );
    return () => {
      current = false;
    };
  }, [slots, jobId]);
  return found !== undefined && found.jobId === jobId ? found.file : undefined;
}

/** In place of the same job's file, or else of the oldest. */
async function writeSlot(slots: string[], file: File): Promise<void> {
  const stored = await readSlots(slots);
  const age = (index: number) => {
    const before = stored[index];
    return before?.name === file.name ? -Infinity : (before?.lastModified ?? -1);
  };
  const [oldest] = slots.map((_, index) => index).sort((one, other) => age(one) - age(other));
  const slot = oldest === undefined ? undefined : slots[oldest];
  if (slot !== undefined) await fileDrafts.write(slot, file);
}
