import { lazy, memo, Suspense } from 'react';
import { FormulaSource, type FormulaProps } from './formula-source';

/** If KaTeX cannot be loaded, formulas are shown as TeX. */
const TypesetFormula = lazy(() => import('./typeset-formula').catch(() => ({ default: FormulaSource })));

/** A formula. KaTeX loads only where there is one. */
export const Formula = memo(function Formula(props: FormulaProps) {
  return (
    <Suspense fallback={<FormulaSource {...props} pending />}>
      <TypesetFormula {...props} />
    </Suspense>
  );
});
