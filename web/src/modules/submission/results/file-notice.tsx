import { z } from 'zod';
import { fileNoticeSchema } from '#libs/contract/scans.js';
import type { Job } from '#libs/contract/jobs.js';
import { Notice } from '../../../shared/ui/notice';

const resultSchema = z.object({ notice: fileNoticeSchema });

/** Shows a result's notice about its source file, for example that some pages were hard to read. */
export function FileNotice({ job }: { job: Job }) {
  const notice = resultSchema.safeParse(job.result).data?.notice ?? null;
  if (notice === null) return null;
  return (
    <div className="mb-6">
      <Notice tone="note">{notice}</Notice>
    </div>
  );
}
