import { NOT_PROOFREAD } from '#libs/contract/language-faults.js';
import type { ToolOutput } from '#libs/tools/catalogue.js';
import { ExportAction } from '../../../modules/text-editor/export/export-action';

type Proofreading = ToolOutput<'humanize-text'>['proofreading'];
type Fault = NonNullable<Proofreading>['faults'][number];

/** Lists the spelling and grammar faults of a result, with a button to export the list. */
export function LanguageFaults({ proofreading, title }: { proofreading: Proofreading; title: string }) {
  if (proofreading === null) return <p className="border-t border-line pt-5 text-quiet">{NOT_PROOFREAD}</p>;
  const { faults, isWhole } = proofreading;
  return (
    <section className="border-t border-line pt-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 className="font-semibold">Spelling and grammar ({faults.length})</h3>
        {faults.length > 0 && (
          <ExportAction text={faultsMarkdown(faults)} title={`Spelling and grammar: ${title}`} />
        )}
      </div>
      {faults.length === 0 ? (
        <p className="mt-2 text-quiet">No problems found in the English sentences.</p>
      ) : (
        <ul className="mt-3 grid gap-3">
          {faults.map((fault, index) => (
            <li key={index} className="border-l-2 border-line pl-3">
              <p className="wrap-anywhere">
                <del className="text-quiet">{fault.quote}</del>
                <span aria-hidden="true"> → </span>
                <ins className="no-underline">{suggestionsOf(fault)}</ins>
              </p>
              <p className="text-sm wrap-anywhere text-quiet">
                Line {fault.line}: “{fault.context}”{fault.kind === 'grammar' && ` ${fault.message}`}
              </p>
            </li>
          ))}
        </ul>
      )}
      {!isWhole && (
        <p className="mt-2 text-sm text-quiet">Only the first part of this long text was checked.</p>
      )}
    </section>
  );
}

const suggestionsOf = ({ suggestions }: Fault) =>
  suggestions.map((one) => (one === '' ? 'left out' : one)).join(' or ');

const faultsMarkdown = (faults: readonly Fault[]) =>
  [
    '# Spelling and grammar',
    faults
      .map(
        (fault) =>
          `- Line ${fault.line}: “${fault.quote}”, perhaps ${suggestionsOf(fault)}. In: “${fault.context}”`,
      )
      .join('\n'),
  ].join('\n\n');
