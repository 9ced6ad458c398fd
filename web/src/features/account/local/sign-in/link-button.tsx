import type { ReactNode } from 'react';

/** A button that looks like a link, for use within a sentence. */
export function LinkButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="rounded-sm py-1 font-semibold text-ink underline underline-offset-4 touch:min-h-11"
    >
      {children}
    </button>
  );
}
