import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { pdfChatHistorySchema, pdfChatMessageSchema, type PdfChatMessage } from '#libs/contract/pdf-chats.js';
import { ApiFailure, type Http } from '../http/http';
import { queryKeys } from '../http/query-keys';
import { useHttp } from '../session/use-http';

const HISTORY = '/api/ai/pdf-chat-history';
const messagesSchema = z.object({ chatHistory: z.array(pdfChatMessageSchema) });

/** The documents with a conversation, latest first. */
export function usePdfChats() {
  const http = useHttp();
  return useQuery({
    queryKey: queryKeys.pdfChats,
    queryFn: async ({ signal }) => (await http.get(HISTORY, pdfChatHistorySchema, { signal })).documents,
  });
}

/** The messages of one document's conversation. */
export async function readPdfChat(
  http: Http,
  fileName: string,
  signal?: AbortSignal,
): Promise<PdfChatMessage[]> {
  const path = `${HISTORY}?file_name=${encodeURIComponent(fileName)}`;
  return (await http.get(path, messagesSchema, { signal })).chatHistory;
}

/** The PDF of a conversation; null if the server does not have it. */
export function usePdfFile(fileName: string, enabled: boolean) {
  const http = useHttp();
  return useQuery({
    queryKey: queryKeys.pdfFile(fileName),
    enabled,
    staleTime: Infinity,
    gcTime: 60_000,
    queryFn: async ({ signal }) => {
      try {
        return await http.file(`${HISTORY}/file?file_name=${encodeURIComponent(fileName)}`, { signal });
      } catch (error) {
        if (error instanceof ApiFailure && error.code === 'NOT_FOUND') return null;
        throw error;
      }
    },
  });
}

/** Deletes every conversation. */
export function useClearPdfChats() {
  const http = useHttp();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => http.delete(HISTORY, z.object({})),
    onSuccess: () => {
      queries.setQueryData(queryKeys.pdfChats, []);
      queries.removeQueries({ queryKey: ['pdf-file'] });
    },
  });
}
