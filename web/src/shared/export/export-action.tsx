import { lazy, Suspense } from 'react';
import { FileDown } from 'lucide-react';
import { Button } from '../ui/button';

const ExportMenu = lazy(async () => ({ default: (await import('./export-menu')).ExportMenu }));

/** Export of a text in Markdown to a file named by its title. Its menu is fetched once there is a text. */
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
