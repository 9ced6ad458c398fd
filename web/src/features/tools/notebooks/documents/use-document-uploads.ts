import { useMemo, useSyncExternalStore } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { toolRoutes } from '#libs/contract/routes/tools.js';
import { formOf } from '../../../../modules/runs/jobs/job-calls';
import { useJobStore } from '../../../../modules/runs/state/runs-context';
import type { JobStore } from '../../../../modules/runs/state/job-store';
import { useHttp } from '../../../../shared/account/use-http';
import { startJob } from '../../../../shared/http/call';
import { refreshNotebook } from '../api/notebook-calls';
import { DocumentUploads, type Upload } from './document-uploads';

/** The uploads of each notebook, which continue after the user has left its page. */
const uploadsByStore = new WeakMap<JobStore, Map<string, DocumentUploads>>();

export interface UploadList {
  uploads: readonly Upload[];
  add: DocumentUploads['add'];
  retry: DocumentUploads['retry'];
  remove: DocumentUploads['remove'];
}

export function useDocumentUploads(notebookId: string): UploadList {
  const http = useHttp();
  const store = useJobStore();
  const queries = useQueryClient();
  const uploads = useMemo(() => {
    const known = uploadsByStore.get(store) ?? new Map<string, DocumentUploads>();
    uploadsByStore.set(store, known);
    const existing = known.get(notebookId);
    if (existing) return existing;
    const created = new DocumentUploads({
      send: async ({ name, file, text, replaces, language }, key, signal) => {
        // The server names a file's document after the file, whose name may be longer than `name` may be.
        const ownName = file === undefined ? name : undefined;
        const input = { notebook_id: notebookId, text, name: ownName, replaces, language };
        const body = formOf(input, file ? { document: file } : {});
        const params = { tool: 'add-notebook-document' };
        const [job] = await startJob(http, toolRoutes.submitJob, key, { params, body, signal });
        return job;
      },
      onSent: (job) => {
        store.put(job);
        return refreshNotebook(queries, notebookId);
      },
      wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    });
    known.set(notebookId, created);
    warnBeforeLeaving(created);
    return created;
  }, [http, store, queries, notebookId]);
  const list = useSyncExternalStore(uploads.subscribe, uploads.list);
  return {
    uploads: list,
    add: (documents) => uploads.add(documents),
    retry: (id) => uploads.retry(id),
    remove: (id) => uploads.remove(id),
  };
}

/** Lets the browser ask before it closes the tab, on any page, since files that are not sent yet would be lost. */
function warnBeforeLeaving(uploads: DocumentUploads): void {
  const warn = (event: BeforeUnloadEvent) => event.preventDefault();
  uploads.subscribe(() => {
    const isSending = uploads.list().some(({ state }) => state !== 'failed');
    if (isSending) window.addEventListener('beforeunload', warn);
    else window.removeEventListener('beforeunload', warn);
  });
}
