import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { NewNote, NotebookNote } from '#libs/contract/notebooks.js';
import { notebookRoutes } from '#libs/contract/routes/notebooks.js';
import { useHttp } from '../../../../shared/account/use-http';
import { call } from '../../../../shared/http/call';
import { isNotFound } from '../../../../shared/http/http';
import { queryKeys } from '../../../../shared/http/query-keys';

/** The notes of a notebook, in their order. */
export function useNotes(id: string) {
  const http = useHttp();
  return useQuery({
    queryKey: queryKeys.notebooks.notes(id),
    queryFn: async ({ signal }) =>
      (await call(http, notebookRoutes.listNotes, { params: { id }, signal })).notes,
  });
}

export function useAddNote(id: string) {
  const http = useHttp();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: NewNote) =>
      (await call(http, notebookRoutes.addNote, { params: { id }, body })).note,
    onSuccess: () => queries.invalidateQueries({ queryKey: queryKeys.notebooks.notes(id) }),
  });
}

export function useChangeNote(id: string) {
  const http = useHttp();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ noteId, content }: { noteId: string; content: string }) =>
      (await call(http, notebookRoutes.changeNote, { params: { id, noteId }, body: { content } })).note,
    onSuccess: (note) =>
      queries.setQueryData<NotebookNote[]>(queryKeys.notebooks.notes(id), (notes) =>
        notes?.map((other) => (other.id === note.id ? note : other)),
      ),
  });
}

export function useDeleteNote(id: string) {
  const http = useHttp();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (noteId: string) => {
      try {
        await call(http, notebookRoutes.deleteNote, { params: { id, noteId } });
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    },
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.notebooks.notes(id) }),
  });
}

/** Sets the order of the notes. The list shows it at once. */
export function useOrderNotes(id: string) {
  const http = useHttp();
  const queries = useQueryClient();
  const key = queryKeys.notebooks.notes(id);
  return useMutation({
    mutationFn: (ids: string[]) => call(http, notebookRoutes.orderNotes, { params: { id }, body: { ids } }),
    onMutate: (ids) =>
      queries.setQueryData<NotebookNote[]>(
        key,
        (notes) => notes && [...notes].sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id)),
      ),
    onError: () => queries.invalidateQueries({ queryKey: key }),
  });
}
