import { useId, type ReactNode } from 'react';
import { Button } from '../../shared/ui/button';
import { CornerMarks } from '../../shared/ui/corner-marks';

interface SectionProps {
  title: string;
  /** True if all items are shown, false if only some; null if there is nothing to expand. */
  expanded: boolean | null;
  onToggle: () => void;
  children: ReactNode;
}

export function Section({ title, expanded, onToggle, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <header className="mb-4 flex min-h-9 items-center justify-between gap-4">
        <h2 id={id} className="text-2xl">
          {title}
        </h2>
        {expanded !== null && (
          <Button size="small" variant="quiet" onClick={onToggle} aria-expanded={expanded}>
            {expanded ? 'Show less' : 'View all'}
          </Button>
        )}
      </header>
      {children}
    </section>
  );
}

export function EmptyPanel({ text, action }: { text: string; action: ReactNode }) {
  return (
    <div className="panel relative grid justify-items-center gap-5 px-6 py-14 text-center">
      <CornerMarks />
      <p className="text-quiet">{text}</p>
      {action}
    </div>
  );
}
