import { useState } from 'react';
import { Markdown } from '../../../shared/markdown/markdown';
import { Button } from '../../../shared/ui/button';
import { Dialog } from '../../../shared/ui/dialog';
import { RadioChips } from '../../../shared/ui/radio-chips';
import type { Conflict, MergedPart } from '../saving/merge-texts';

type Choice = 'mine' | 'theirs' | 'both';

const choices = [
  { value: 'mine', label: 'Yours' },
  { value: 'theirs', label: 'Other version' },
  { value: 'both', label: 'Both' },
] as const;

/** The user's choices and their parts. New parts arrive if the other editor saves while the dialog is open. */
interface ChosenOfParts {
  parts: readonly MergedPart[];
  chosen: Readonly<Record<number, Choice>>;
}

interface ConflictDialogProps {
  parts: readonly MergedPart[];
  onChoose: (text: string) => void;
  onClose: () => void;
}

/** Shows both versions of each conflict and lets the user choose one or both. */
export function ConflictDialog({ parts, onChoose, onClose }: ConflictDialogProps) {
  const [latest, setLatest] = useState<ChosenOfParts>({ parts, chosen: {} });
  const chosen = latest.parts === parts ? latest.chosen : {};
  const conflicts = parts.flatMap((part, index) => (part.kind === 'conflict' ? [{ part, index }] : []));
  const choiceOf = (index: number): Choice => chosen[index] ?? 'both';
  const text = () =>
    parts.map((part, index) => (part.kind === 'text' ? part.text : textOf(part, choiceOf(index)))).join('');
  return (
    <Dialog label="Changed in two places" full guarded initialFocus="dialog" onClose={onClose}>
      <h2 aria-hidden="true" className="pr-12 text-2xl">
        Changed in two places
      </h2>
      <p className="mt-2 max-w-[72ch] text-quiet">
        {conflicts.length === 1 ? 'One passage was' : `${conflicts.length} passages were`} changed here and in
        another window or device. Choose what to keep. Everything else is already merged.
      </p>
      <ol className="mt-6 grid gap-8">
        {conflicts.map(({ part, index }, number) => (
          <li key={index} className="border-t border-line pt-5">
            <div className="grid gap-4 md:grid-cols-2">
              <Side title="Yours" text={part.mine} />
              <Side title="Other version" text={part.theirs} />
            </div>
            <div className="mt-4">
              <RadioChips
                legend={`Passage ${number + 1}: keep`}
                name={`passage-${number}`}
                value={choiceOf(index)}
                options={choices}
                onChange={(choice) => setLatest({ parts, chosen: { ...chosen, [index]: choice } })}
              />
            </div>
          </li>
        ))}
      </ol>
      <div className="mt-8">
        <Button variant="primary" onClick={() => onChoose(text())}>
          Use this
        </Button>
      </div>
    </Dialog>
  );
}

function Side({ title, text }: { title: string; text: string }) {
  return (
    <section aria-label={title} className="min-w-0">
      <h3 className="text-sm font-semibold">{title}</h3>
      <div className="mt-2 rounded-control border border-line bg-sunken p-4">
        {text.trim() === '' ? <p className="text-quiet">Deleted</p> : <Markdown text={text} />}
      </div>
    </section>
  );
}

function textOf({ mine, theirs }: Conflict, choice: Choice): string {
  if (choice !== 'both') return choice === 'mine' ? mine : theirs;
  // Without a blank line, Markdown would join the two versions to one paragraph.
  const isApart = mine.trim() === '' || theirs.trim() === '' || theirs.startsWith('\n') || isList(mine);
  return isApart ? mine + theirs : `${mine.replace(/\n*$/, '\n')}\n${theirs}`;
}

const isList = (text: string) => /^\s*([-*+]|\d{1,9}[.)]|\|)/.test(text);
