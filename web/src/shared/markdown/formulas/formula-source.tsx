export interface FormulaProps {
  tex: string;
  /** True for a formula on lines of its own. */
  display: boolean;
}

interface FormulaSourceProps extends FormulaProps {
  title?: string;
  /** True while the typesetter loads. */
  pending?: boolean;
}

export function FormulaSource({ tex, display, title, pending }: FormulaSourceProps) {
  return (
    <code
      dir="ltr"
      title={title}
      data-pending={pending}
      className={display ? 'block text-center whitespace-pre-wrap' : undefined}
    >
      {tex}
    </code>
  );
}
