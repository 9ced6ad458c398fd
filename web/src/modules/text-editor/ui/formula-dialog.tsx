import { useState, type FormEvent } from 'react';
import { Formula as TypesetFormula } from '../../../shared/markdown/formulas/formula';
import { Button } from '../../../shared/ui/button';
import { Checkbox } from '../../../shared/ui/checkbox';
import { Dialog } from '../../../shared/ui/dialog';
import { TextAreaField } from '../../../shared/ui/text-area-field';
import { writeFormula, type Formula } from '../document/formula';

interface FormulaDialogProps {
  /** TeX of the formula to edit; empty to insert one. */
  tex: string;
  display: boolean;
  /** True if the formula cannot be a block: it is beside other words or in a table. */
  inLine: boolean;
  onSet: (formula: Formula, isBlock: boolean) => void;
  onClose: () => void;
}

export function FormulaDialog({ tex, display: isDisplay, inLine, onSet, onClose }: FormulaDialogProps) {
  const [source, setSource] = useState(tex);
  const [display, setDisplay] = useState(isDisplay);
  const [error, setError] = useState<string>();
  const isNew = tex === '';
  const label = isNew ? 'Insert formula' : 'Edit formula';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    const isBlock = display && !inLine;
    const formula = writeFormula(source, display, !isBlock);
    if (formula === null) setError('Enter a formula, such as \\frac{1}{2}, without its delimiters.');
    else onSet(formula, isBlock);
  };
  return (
    <Dialog label={label} onClose={onClose}>
      <h2 aria-hidden="true" className="text-xl">
        {label}
      </h2>
      <form onSubmit={submit} noValidate className="mt-4 grid gap-4">
        <TextAreaField
          label="TeX"
          compact
          dir="ltr"
          spellCheck={false}
          autoComplete="off"
          value={source}
          error={error}
          onChange={(event) => {
            setSource(event.target.value);
            setError(undefined);
          }}
        />
        {source.trim() !== '' && (
          <div aria-label="Preview" role="group" className="prose max-h-60 overflow-auto py-2">
            <TypesetFormula tex={source} display={display} />
          </div>
        )}
        {isNew && (
          <Checkbox checked={display} onChange={(event) => setDisplay(event.target.checked)}>
            On a line of its own
          </Checkbox>
        )}
        <Button variant="primary" type="submit" className="justify-self-start">
          {isNew ? 'Insert' : 'Save'}
        </Button>
      </form>
    </Dialog>
  );
}
