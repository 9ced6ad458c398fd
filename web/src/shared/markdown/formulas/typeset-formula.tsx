import { useMemo } from 'react';
import { formulaHtml } from './formula-html';
import { FormulaSource, type FormulaProps } from './formula-source';

export default function TypesetFormula({ tex, display }: FormulaProps) {
  const html = useMemo(() => {
    try {
      return formulaHtml(tex, display);
    } catch {
      return null;
    }
  }, [tex, display]);
  if (html === null)
    return <FormulaSource tex={tex} display={display} title="This formula cannot be shown." />;
  return (
    <span
      dir="ltr"
      className="formula"
      data-display={display || undefined}
      // KaTeX escapes the text of the formula.
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
