import { useCallback, useEffect, useRef, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import toast from 'react-hot-toast';
import type { PdfChatMessage, PdfChatSummary } from '#libs/contract/pdf-chats.js';
import { ApiFailure } from '../../../shared/http/http';
import { readPdfChat } from '../../../modules/creations/api/pdf-chats';
import { queryKeys } from '../../../shared/http/query-keys';
import { useHttp } from '../../../shared/account/use-http';
import { chatCache } from './chat-cache';

export interface Conversation {
  fileName: string | null;
  messages: readonly PdfChatMessage[];
  /** Opens a document's conversation: shows the cached copy, then the server's. Null closes the conversation. */
  open: (fileName: string | null) => void;
  show: (fileName: string, messages: readonly PdfChatMessage[]) => void;
}

export function useConversation(): Conversation {
  const http = useHttp();
  const queries = useQueryClient();
  const [conversation, setConversation] = useState<{
    fileName: string | null;
    messages: readonly PdfChatMessage[];
  }>({
    fileName: null,
    messages: [],
  });
  const request = useRef<AbortController>(null);
  useEffect(() => () => request.current?.abort(), []);

  const show = useCallback((fileName: string, messages: readonly PdfChatMessage[]) => {
    request.current?.abort();
    setConversation({ fileName, messages });
    chatCache.write(fileName, messages);
    chatCache.writeSelected(fileName);
  }, []);

  const open = useCallback(
    (fileName: string | null) => {
      request.current?.abort();
      chatCache.writeSelected(fileName);
      if (fileName === null) {
        setConversation({ fileName, messages: [] });
        return;
      }
      setConversation({ fileName, messages: chatCache.read(fileName) });
      const controller = new AbortController();
      request.current = controller;
      readPdfChat(http, fileName, controller.signal).then(
        (messages) => !controller.signal.aborted && show(fileName, messages),
        (error: unknown) => {
          if (controller.signal.aborted) return;
          toast.error('Failed to load chat history');
          // If the server doesn't have the conversation, remove the cached copy. After other errors, keep it.
          if (!(error instanceof ApiFailure) || error.code !== 'NOT_FOUND') return;
          chatCache.remove(fileName);
          chatCache.writeSelected(null);
          queries.setQueryData<PdfChatSummary[]>(queryKeys.pdfChats, (documents) =>
            documents?.filter((document) => document.fileName !== fileName),
          );
          setConversation({ fileName: null, messages: [] });
        },
      );
    },
    [http, queries, show],
  );

  return { ...conversation, open, show };
}
