import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { NotebookDocument, NotebookMessage, NotebookSummary } from '#libs/contract/notebooks.js';
import { notebookRoutes } from '#libs/contract/routes/notebooks.js';
import { useHttp } from '../../../../shared/account/use-http';
import { call } from '../../../../shared/http/call';
import { queryKeys } from '../../../../shared/http/query-keys';

/** The user's notebooks, the last used first. */
export function useNotebooks() {
  const http = useHttp();
  return useQuery({
    queryKey: queryKeys.notebooks.list,
    queryFn: async ({ signal }) => (await call(http, notebookRoutes.listNotebooks, { signal })).notebooks,
  });
}

export interface OpenNotebook {
  notebook: NotebookSummary;
  documents: NotebookDocument[];
}

export function useNotebook(id: string) {
  const http = useHttp();
  return useQuery({
    queryKey: queryKeys.notebooks.one(id),
    queryFn: async ({ signal }): Promise<OpenNotebook> =>
      call(http, notebookRoutes.getNotebook, { params: { id }, signal }),
  });
}

/** All messages of a notebook's conversation, oldest first. */
export function useMessages(id: string) {
  const http = useHttp();
  return useQuery({
    queryKey: queryKeys.notebooks.messages(id),
    queryFn: async ({ signal }) => {
      const messages: NotebookMessage[] = [];
      let cursor: string | undefined;
      do {
        const page = await call(http, notebookRoutes.getNotebookMessages, {
          params: { id },
          query: { cursor },
          signal,
        });
        messages.unshift(...page.messages);
        cursor = page.earlierCursor ?? undefined;
      } while (cursor !== undefined);
      return messages;
    },
  });
}

export const refreshNotebook = (queries: QueryClient, id: string): Promise<unknown> =>
  Promise.all([
    queries.invalidateQueries({ queryKey: queryKeys.notebooks.one(id) }),
    queries.invalidateQueries({ queryKey: queryKeys.notebooks.list }),
  ]);

export function useAddNotebook() {
  const http = useHttp();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (name: string) =>
      (await call(http, notebookRoutes.addNotebook, { body: { name } })).notebook,
    onSuccess: () => queries.invalidateQueries({ queryKey: queryKeys.notebooks.list }),
  });
}

export function useRenameNotebook() {
  const http = useHttp();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, name }: { id: string; name: string }) =>
      call(http, notebookRoutes.renameNotebook, { params: { id }, body: { name } }),
    onSuccess: (_answer, { id }) => refreshNotebook(queries, id),
  });
}

export function useDeleteNotebook() {
  const http = useHttp();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(http, notebookRoutes.deleteNotebook, { params: { id } }),
    onSuccess: (_answer, id) => {
      queries.removeQueries({ queryKey: queryKeys.notebooks.one(id) });
      queries.setQueryData<NotebookSummary[]>(queryKeys.notebooks.list, (notebooks) =>
        notebooks?.filter((notebook) => notebook.id !== id),
      );
      void queries.invalidateQueries({ queryKey: queryKeys.notebooks.list });
    },
  });
}

export function useClearMessages(id: string) {
  const http = useHttp();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => call(http, notebookRoutes.clearNotebookMessages, { params: { id } }),
    onSuccess: () => queries.setQueryData<NotebookMessage[]>(queryKeys.notebooks.messages(id), []),
  });
}
