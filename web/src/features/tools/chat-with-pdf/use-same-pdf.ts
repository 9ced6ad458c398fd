import { useEffect, useState } from 'react';
import { pdfChatRoutes } from '#libs/contract/routes/pdf-chats.js';
import { useHttp } from '../../../shared/account/use-http';
import { call } from '../../../shared/http/call';

interface SamePdf {
  /** Name of the latest conversation about the chosen file; null if it has the file's own name, or if there is none. */
  name: string | null;
  /** True if the user wants a conversation of its own for the file. */
  startsNew: boolean;
  startNew: () => void;
}

/** Finds a conversation about a chosen file under another name, so that the user can choose whether to go on with it. */
export function useSamePdf(file: File | null): SamePdf {
  const http = useHttp();
  const [found, setFound] = useState<{ file: File; name: string } | null>(null);
  const [fileOfNew, setFileOfNew] = useState<File | null>(null);

  useEffect(() => {
    // Browsers have `subtle` only on secure connections. Without it, the conversation goes on.
    if (file === null || !('subtle' in crypto)) return;
    const controller = new AbortController();
    const find = async () => {
      const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
      const sha256 = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join(
        '',
      );
      const { signal } = controller;
      const { conversations } = await call(http, pdfChatRoutes.findSamePdf, { query: { sha256 }, signal });
      const [latest] = conversations;
      if (signal.aborted || latest === undefined) return;
      if (conversations.every(({ fileName }) => fileName !== file.name))
        setFound({ file, name: latest.fileName });
    };
    find().catch(() => undefined);
    return () => controller.abort();
  }, [file, http]);

  const startsNew = file !== null && fileOfNew === file;
  return {
    name: file !== null && found?.file === file && !startsNew ? found.name : null,
    startsNew,
    startNew: () => setFileOfNew(file),
  };
}
