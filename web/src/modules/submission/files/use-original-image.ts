import { useCallback, useEffect, useState } from 'react';
import type { ToolName } from '#libs/tools/catalogue.js';
import { useAccounts } from '../../../shared/account/accounts';
import type { SentImage } from '../../../shared/drafts/file-drafts';
import { readSent, useKeepSent } from '../../runs/jobs/sent-images';
import { useImageUrl } from '../../../shared/lib/use-object-url';

interface OriginalImage {
  /** Object URL of the job's original; null if this browser no longer stores it. */
  url: string | null;
  store: (sent: Omit<SentImage, 'time'>) => void;
}

/** The original image of a job, to compare with the result. Only the originals of the latest jobs are stored. */
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
    // `jobId` is a dependency because another tab may have started that job and stored its original.
  }, [user, tool, jobId]);

  const store = useCallback(
    (sent: Omit<SentImage, 'time'>) => {
      setFiles((others) => ({ ...others, [sent.jobId]: sent.image }));
      void keep(sent);
    },
    [keep],
  );
  const { url, canShow } = useImageUrl((jobId !== null && files[jobId]) || null);
  return { url: canShow ? url : null, store };
}
