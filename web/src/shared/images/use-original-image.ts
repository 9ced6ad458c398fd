import { useCallback, useEffect, useState } from 'react';
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

/** The original of a tool's job, for comparison with the result. After a reload only the latest is available. */
export function useOriginalImage(tool: ToolName, jobId: string | null): OriginalImage {
  const draft = `${useAccounts().user?.id ?? ''}:${tool}:before`;
  const [files, setFiles] = useState<Readonly<Record<string, File>>>({});

  useEffect(() => {
    let current = true;
    // The file is named by the id of its job.
    void fileDrafts.read(draft).then((stored) => {
      if (current && stored !== null) setFiles((others) => ({ [stored.name]: stored, ...others }));
    });
    return () => {
      current = false;
    };
  }, [draft]);

  const store = useCallback(
    (id: string, file: File) => {
      setFiles((others) => ({ ...others, [id]: file }));
      void fileDrafts.write(draft, new File([file], id, { type: file.type }));
    },
    [draft],
  );
  const file = (jobId !== null && files[jobId]) || null;
  return { url: useObjectUrl(file), file, store };
}
