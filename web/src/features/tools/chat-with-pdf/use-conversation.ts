import { useCallback, useEffect, useRef, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import toast from 'react-hot-toast';
import type { PdfChatMessage, PdfChatSummary } from '#libs/contract/pdf-chats.js';
import { ApiFailure } from '../../../shared/http/http';
import { readPdfChat } from '../../../shared/api/pdf-chats';
import { queryKeys } from '../../../shared/http/query-keys';
import { useHttp } from '../../../shared/session/use-http';
import { chatCache } from './chat-cache';

/** What is being talked about: a document the server knows, by its name. */
export interface Conversation {
  fileName: string | null;
  messages: readonly PdfChatMessage[];
  /** Opens a known document: the cached conversation first, then the server's copy. Null opens none. */
  open: (fileName: string | null) => void;
  /** Takes the conversation as an answer has it. */
  take: (fileName: string, messages: readonly PdfChatMessage[]) => void;
}

export function useConversation(): Conversation {
  const http = useHttp();
  const queries = useQueryClient();
  const [shown, setShown] = useState<{ fileName: string | null; messages: readonly PdfChatMessage[] }>({
    fileName: null,
    messages: [],
  });
  const reading = useRef<AbortController>(null);
  useEffect(() => () => reading.current?.abort(), []);

  const take = useCallback((fileName: string, messages: readonly PdfChatMessage[]) => {
    reading.current?.abort();
    setShown({ fileName, messages });
    chatCache.write(fileName, messages);
    chatCache.writeSelected(fileName);
  }, []);

  const open = useCallback(
    (fileName: string | null) => {
      reading.current?.abort();
      chatCache.writeSelected(fileName);
      if (fileName === null) {
        setShown({ fileName, messages: [] });
        return;
      }
      setShown({ fileName, messages: chatCache.read(fileName) });
      const request = new AbortController();
      reading.current = request;
      readPdfChat(http, fileName, request.signal).then(
        (messages) => !request.signal.aborted && take(fileName, messages),
        (error: unknown) => {
          if (request.signal.aborted) return;
          toast.error('Failed to load chat history');
          // What the server does not know is no history; one that only could not be reached stays.
          if (!(error instanceof ApiFailure) || error.code !== 'NOT_FOUND') return;
          chatCache.forget(fileName);
          chatCache.writeSelected(null);
          queries.setQueryData<PdfChatSummary[]>(queryKeys.pdfChats, (known) =>
            known?.filter((document) => document.fileName !== fileName),
          );
          setShown({ fileName: null, messages: [] });
        },
      );
    },
    [http, queries, take],
  );

  return { ...shown, open, take };
}
