import { useId } from 'react';
import { useMutation } from '@tanstack/react-query';
import { FileDown } from 'lucide-react';
import { z } from 'zod';
import type { Job } from '#libs/contract/jobs.js';
import { WORD_TYPE } from '#libs/contract/limits.js';
import type { ResumeLineChange } from '#libs/contract/resume-lines.js';
import { resumeLinesRoutes } from '#libs/contract/routes/resume-lines.js';
import { useStoredFile } from '../../../modules/submission/files/use-file-choice';
import { useHttp } from '../../../shared/account/use-http';
import { call } from '../../../shared/http/call';
import { formatCount } from '../../../shared/lib/format';
import { saveFile } from '../../../shared/lib/save-file';
import { Button } from '../../../shared/ui/button';
import { Notice } from '../../../shared/ui/notice';
import { lineChangesOf } from './line-changes';

const resultSchema = z.object({ content: z.string() });

const isWord = (name: string) => /\.docx$/i.test(name);
/** The titles of jobs end with the name of the resume; long ones are cut. */
const mayBeWord = ({ title }: Job) => isWord(title) || title.endsWith('…');

/** Puts the bullets into the user's own Word document. Shows nothing if the resume was a PDF. @param text the bullets, also edited */
export function WordResume({ job, text }: { job: Job; text: string }) {
  const download = useDownload();
  const hintId = useId();
  if (!mayBeWord(job)) return null;
  const original = resultSchema.safeParse(job.result).data?.content ?? text;
  const changes = lineChangesOf(text, original);
  return (
    <section aria-label="Your resume in Word" className="mt-8 grid justify-items-start gap-3">
      <Button
        disabled={changes.length === 0}
        busy={download.isPending}
        aria-describedby={hintId}
        className="max-w-full py-2 text-left whitespace-normal"
        onClick={() => download.mutate(changes)}
      >
        {!download.isPending && <FileDown aria-hidden="true" className="size-4 shrink-0" />}
        Download your resume with these lines (.docx)
      </Button>
      <p id={hintId} className="text-sm text-quiet">
        {changes.length === 0
          ? 'All lines are in your resume as they are. Edit one to put it into your document.'
          : 'Only the changed lines are replaced. Your document keeps its layout and everything else.'}
      </p>
      {download.isError && (
        <Notice tone="danger" title="No document was made" onRetry={() => download.mutate(changes)}>
          {download.error.message}
        </Notice>
      )}
      {download.data && <Outcome {...download.data} />}
    </section>
  );
}

interface Download {
  name: string;
  replaced: number;
  /** The lines that are not in the document. */
  left: ResumeLineChange[];
}

function Outcome({ name, replaced, left }: Download) {
  return (
    <div role="status" className="grid w-full min-w-0 gap-3 wrap-anywhere">
      <p>
        {replaced === 0
          ? `No line was found in “${name}”, so it was not downloaded. Choose the resume that the bullets were made from.`
          : `${formatCount(replaced, 'line')} replaced in “${name}”.`}
      </p>
      {left.length > 0 && (
        <>
          <p className="font-semibold">Not found in the document. Put these in by hand:</p>
          <ul className="list-disc space-y-1 pl-6 text-quiet">
            {left.map(({ source, text }) => (
              <li key={`${source}\n${text}`}>{text}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function useDownload() {
  const http = useHttp();
  const readResume = useStoredFile('resume');
  return useMutation({
    mutationFn: async (changes: ResumeLineChange[]): Promise<Download> => {
      const resume = await readResume();
      if (resume === null || !isWord(resume.name))
        throw new Error(
          'Choose your Word document (.docx) in the form again. Resumes are deleted from the server when the result is ready.',
        );
      const body = new FormData();
      body.append('lines', JSON.stringify(changes));
      body.append('resume', resume);
      const { file, replaced, missing } = await call(http, resumeLinesRoutes.replaceResumeLines, { body });
      if (replaced.length > 0) saveFile(toBlob(file), resume.name.replace(/\.docx$/i, ' - tailored.docx'));
      return { name: resume.name, replaced: replaced.length, left: leftOf(changes, missing) };
    },
  });
}

/** The changes of the sources that were not found. */
function leftOf(changes: readonly ResumeLineChange[], missing: readonly string[]): ResumeLineChange[] {
  const open = [...missing];
  // If a source was sent twice, the later one is missing.
  return changes
    .toReversed()
    .filter(({ source }) => {
      const at = open.indexOf(source);
      if (at >= 0) open.splice(at, 1);
      return at >= 0;
    })
    .toReversed();
}

const toBlob = (base64: string) =>
  new Blob([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], { type: WORD_TYPE });
