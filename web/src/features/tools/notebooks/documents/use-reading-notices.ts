import { z } from 'zod';
import { fileNoticeSchema } from '#libs/contract/scans.js';
import { useJobs } from '../../../../modules/runs/state/runs-context';

const resultSchema = z.object({ documentId: z.string(), notice: fileNoticeSchema });

/** By document ID: what to know about documents that were read lately, such as pages that were hard to read. */
export function useReadingNotices(notebookId: string): ReadonlyMap<string, string | null> {
  const results = useJobs()
    .filter((job) => job.tool === 'add-notebook-document' && job.notebookId === notebookId)
    .flatMap(({ result }) => resultSchema.safeParse(result).data ?? []);
  // The jobs are newest first, and the newest about a document counts.
  return new Map(results.toReversed().map(({ documentId, notice }) => [documentId, notice]));
}
