import { lazy, Suspense } from 'react';
import { FileDown } from 'lucide-react';
import { Button } from '../../../shared/ui/button';

const ExportMenu = lazy(async () => ({ default: (await import('./export-menu')).ExportMenu }));

/** The button that exports Markdown to a file. Its menu loads lazily. */
export function ExportAction(text: { text: string; title: string }) {
  return (
    <Suspense
      fallback={
        <Button size="small" disabled>
          <FileDown aria-hidden="true" className="size-4" />
          Export
        </Button>
      }
    >
      <ExportMenu {...text} />
    </Suspense>
  );
}
