import { useCallback, useEffect, useState } from 'react';
import type { ToolName } from '#libs/tools/catalogue.js';
import { useAccounts } from '../../../shared/account/accounts';
import type { SentImage } from '../../../shared/drafts/file-drafts';
import { readSent, useKeepSent } from '../../runs/jobs/sent-images';
import { useObjectUrl } from '../../../shared/lib/use-object-url';

interface OriginalImage {
  /** The object URL of the selected job's original; null if this browser no longer stores it. */
  url: string | null;
  store: (sent: Omit<SentImage, 'time'>) => void;
}

/** The original of a tool's job, to compare with the result. Only the latest originals are stored across reloads. */
export function useOriginalImage(tool: ToolName, jobId: string | null): OriginalImage {
  const user = useAccounts().user?.id ?? '';
  const keep = useKeepSent();
  const [files, setFiles] = useState<Readonly<Record<string, File>>>({});

  useEffect(() => {
    let current = true;
    void readSent(user, tool).then((sent) => {
      const known = sent.map(({ jobId, image }) => [jobId, image] as const);
      if (current) setFiles((others) => ({ ...Object.fromEntries(known), ...others }));
    });
    return () => {
      current = false;
    };
    // Another page may have started the job and stored its original.
  }, [user, tool, jobId]);

  const store = useCallback(
    (sent: Omit<SentImage, 'time'>) => {
      setFiles((others) => ({ ...others, [sent.jobId]: sent.image }));
      void keep(sent);
    },
    [keep],
  );
  return { url: useObjectUrl((jobId !== null && files[jobId]) || null), store };
}
