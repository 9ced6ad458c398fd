import { useCallback } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { PdfChatMessage, PdfChatSummary, PdfWord } from '#libs/contract/pdf-chats.js';
import { notebookRoutes } from '#libs/contract/routes/notebooks.js';
import { pdfChatRoutes } from '#libs/contract/routes/pdf-chats.js';
import { call, readFile } from '../../../shared/http/call';
import { ApiFailure, type Http } from '../../../shared/http/http';
import { queryKeys } from '../../../shared/http/query-keys';
import { useHttp } from '../../../shared/account/use-http';

export function usePdfChats() {
  const http = useHttp();
  return useQuery({
    queryKey: queryKeys.pdfChats,
    queryFn: async ({ signal }) => {
      const documents: PdfChatSummary[] = [];
      let cursor: string | undefined;
      do {
        const query = { cursor };
        const history = await call(http, pdfChatRoutes.getPdfChatHistory, { query, signal });
        if (!('documents' in history)) break;
        documents.push(...history.documents);
        cursor = history.nextCursor ?? undefined;
      } while (cursor !== undefined);
      return documents;
    },
  });
}

export async function readPdfChat(
  http: Http,
  fileName: string,
  signal?: AbortSignal,
): Promise<PdfChatMessage[]> {
  const messages: PdfChatMessage[] = [];
  let cursor: string | undefined;
  do {
    const query = { file_name: fileName, cursor };
    const page = await call(http, pdfChatRoutes.getPdfChatHistory, { query, signal });
    messages.unshift(...page.chatHistory);
    cursor = page.earlierCursor ?? undefined;
  } while (cursor !== undefined);
  return messages;
}

/** Fetches the PDF of a conversation. The data is null if the server doesn't have the file. */
export function usePdfFile(fileName: string, enabled: boolean) {
  const http = useHttp();
  return useQuery({
    queryKey: queryKeys.pdfFile(fileName),
    enabled,
    staleTime: Infinity,
    gcTime: 60_000,
    queryFn: async ({ signal }) => {
      try {
        return await readFile(http, pdfChatRoutes.getPdfChatFile, { query: { file_name: fileName }, signal });
      } catch (error) {
        if (error instanceof ApiFailure && error.code === 'NOT_FOUND') return null;
        throw error;
      }
    },
  });
}

/** Fetches a PDF that is attached to the document of a conversation. */
export function useReadPdfAttachment(fileName: string) {
  const http = useHttp();
  return useMutation({
    mutationFn: async (name: string) => {
      const query = { file_name: fileName, name };
      const blob = await readFile(http, pdfChatRoutes.getPdfChatAttachment, { query });
      return new File([blob], name, { type: 'application/pdf' });
    },
  });
}

/** Returns a function that fetches the recognised words of a scanned page; [] for a page with a text layer. */
export function useReadPdfWords(fileName: string): (page: number) => Promise<PdfWord[]> {
  const http = useHttp();
  return useCallback(
    async (page) => {
      const query = { file_name: fileName, page };
      return (await call(http, pdfChatRoutes.getPdfChatWords, { query })).words;
    },
    [http, fileName],
  );
}

/** Renames a conversation. Resolves to its new name, which gets a number if another has it. */
export function useRenamePdfChat() {
  const http = useHttp();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, name }: { id: string; name: string }) =>
      (await call(http, notebookRoutes.renameNotebook, { params: { id }, body: { name } })).notebook.name,
    onSuccess: () => queries.invalidateQueries({ queryKey: queryKeys.pdfChats }),
  });
}

export function useDeletePdfChat() {
  const http = useHttp();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (fileName: string) =>
      call(http, pdfChatRoutes.clearPdfChatHistory, { query: { file_name: fileName } }),
    onSuccess: (_answer, fileName) => {
      queries.removeQueries({ queryKey: queryKeys.pdfFile(fileName) });
      void queries.invalidateQueries({ queryKey: queryKeys.account });
      return queries.invalidateQueries({ queryKey: queryKeys.pdfChats });
    },
  });
}

export function useClearPdfChats() {
  const http = useHttp();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => call(http, pdfChatRoutes.clearPdfChatHistory, {}),
    onSuccess: () => {
      queries.setQueryData(queryKeys.pdfChats, []);
      queries.removeQueries({ queryKey: ['pdf-file'] });
      void queries.invalidateQueries({ queryKey: queryKeys.account });
    },
  });
}
