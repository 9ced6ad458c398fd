import { humanizeOutputSchema, type Change } from '#libs/tools/humanize-text/contract.js';
import { LanguageFaults } from './language-faults';
import { Notice } from '../../../shared/ui/notice';

const notesSchema = humanizeOutputSchema
  .pick({ readability: true, changes: true, notice: true })
  // Results of earlier versions don't have `proofreading`.
  .extend({ proofreading: humanizeOutputSchema.shape.proofreading.optional() });

interface HumanizeNotesProps {
  result: Record<string, unknown> | null;
  /** Title of the job, for the name of the exported file. */
  title: string;
}

export function HumanizeNotes({ result, title }: HumanizeNotesProps) {
  const notes = notesSchema.safeParse(result).data;
  if (notes === undefined) return null;
  const { readability, changes, notice, proofreading } = notes;
  return (
    <div className="mt-10 grid max-w-[72ch] gap-5 text-[0.9375rem]">
      {notice !== null && <Notice tone="note">{notice}</Notice>}
      {readability !== null && (
        <p className="border-t border-line pt-5 text-quiet">
          {readability.scale}, from 0 (hard) to 100 (easy):{' '}
          <span className="whitespace-nowrap">
            <Figure value={readability.before} /> before, <Figure value={readability.after} /> now
          </span>
        </p>
      )}
      {proofreading !== undefined && <LanguageFaults proofreading={proofreading} title={title} />}
      {changes.length > 0 && (
        <details className="border-t border-line pt-5">
          <summary className="cursor-pointer font-semibold">Changes ({changes.length})</summary>
          <ul className="mt-3 grid gap-2">
            {changes.map((change) => (
              <ChangeLine key={`${change.kind} ${change.before} ${change.after}`} {...change} />
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

const Figure = ({ value }: { value: number }) => (
  <span className="font-mono text-sm text-ink">{Math.round(value)}</span>
);

function ChangeLine({ before, after, count }: Change) {
  return (
    <li className="border-l-2 border-line pl-3 text-quiet">
      <del>{before}</del>
      <span aria-hidden="true"> → </span>
      {after === '' ? <span>left out</span> : <ins className="text-ink no-underline">{after}</ins>}
      {count > 1 && <span className="font-mono text-xs"> × {count}</span>}
    </li>
  );
}
