import { useCallback } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ChangeNotebookDocument } from '#libs/contract/notebooks.js';
import type { PdfWord } from '#libs/contract/pdf-chats.js';
import { notebookRoutes } from '#libs/contract/routes/notebooks.js';
import { useHttp } from '../../../../shared/account/use-http';
import { call, readFile } from '../../../../shared/http/call';
import { isNotFound } from '../../../../shared/http/http';
import { queryKeys } from '../../../../shared/http/query-keys';
import { refreshNotebook, type OpenNotebook } from './notebook-calls';

/** The text of a document's pages. A document's text never changes. */
export function useDocumentText(id: string, documentId: string, enabled: boolean) {
  const http = useHttp();
  return useQuery({
    queryKey: queryKeys.notebooks.document(id, documentId),
    enabled,
    staleTime: Infinity,
    gcTime: 60_000,
    queryFn: async ({ signal }) =>
      (await call(http, notebookRoutes.getNotebookDocument, { params: { id, documentId }, signal })).pages,
  });
}

/** The file of a document. The data is null if the server doesn't have the file. */
export function useDocumentFile(id: string, documentId: string, enabled: boolean) {
  const http = useHttp();
  return useQuery({
    queryKey: queryKeys.notebooks.file(id, documentId),
    enabled,
    staleTime: Infinity,
    gcTime: 60_000,
    queryFn: async ({ signal }) => {
      try {
        const params = { id, documentId };
        return await readFile(http, notebookRoutes.getNotebookDocumentFile, { params, signal });
      } catch (error) {
        if (isNotFound(error)) return null;
        throw error;
      }
    },
  });
}

/** Returns a function that fetches the recognised words of a scanned page; [] for a page with a text layer. */
export function useReadDocumentWords(id: string, documentId: string): (page: number) => Promise<PdfWord[]> {
  const http = useHttp();
  return useCallback(
    async (page) => {
      const input = { params: { id, documentId }, query: { page } };
      return (await call(http, notebookRoutes.getNotebookDocumentWords, input)).words;
    },
    [http, id, documentId],
  );
}

interface DocumentChange extends ChangeNotebookDocument {
  documentId: string;
}

/** Renames a document or switches it on or off. The list shows the change at once. */
export function useChangeDocument(id: string) {
  const http = useHttp();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ documentId, ...body }: DocumentChange) =>
      call(http, notebookRoutes.changeNotebookDocument, { params: { id, documentId }, body }),
    onMutate: ({ documentId, ...change }) =>
      queries.setQueryData<OpenNotebook>(
        queryKeys.notebooks.one(id),
        (open) =>
          open && {
            ...open,
            documents: open.documents.map((document) =>
              document.id === documentId ? { ...document, ...change } : document,
            ),
          },
      ),
    onSettled: () => refreshNotebook(queries, id),
  });
}

/** Removes a document. With the id of a job, ends the reading or forgets that it failed. */
export function useRemoveDocument(id: string) {
  const http = useHttp();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (documentId: string) => {
      try {
        await call(http, notebookRoutes.removeNotebookDocument, { params: { id, documentId } });
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    },
    onSettled: () => refreshNotebook(queries, id),
  });
}
