import { useCallback, useEffect, useState } from 'react';
import type { ToolName } from '#libs/tools/catalogue.js';
import { useAccounts } from '../session/accounts';
import { fileDrafts } from '../drafts/file-drafts';
import { useObjectUrl } from '../lib/use-object-url';

interface Before {
  /** The address of what was sent for the shown job; null where this browser has it no more. */
  url: string | null;
  keep: (jobId: string, file: File) => void;
}

/**
 * The images that were sent, to be compared with what came of them. They are this browser's own: those of this
 * visit to the page, and over a reload the latest.
 */
export function useBefore(tool: ToolName, jobId: string | null): Before {
  const draft = `${useAccounts().user?.id ?? ''}:${tool}:before`;
  const [files, setFiles] = useState<Readonly<Record<string, File>>>({});

  useEffect(() => {
    let current = true;
    // The kept file goes by the id of its job.
    void fileDrafts.read(draft).then((kept) => {
      if (current && kept !== null) setFiles((others) => ({ [kept.name]: kept, ...others }));
    });
    return () => {
      current = false;
    };
  }, [draft]);

  const keep = useCallback(
    (id: string, file: File) => {
      setFiles((others) => ({ ...others, [id]: file }));
      void fileDrafts.write(draft, new File([file], id, { type: file.type }));
    },
    [draft],
  );
  return { url: useObjectUrl((jobId !== null && files[jobId]) || null), keep };
}
