import { useId, useState } from 'react';
import type { NotebookDocument } from '#libs/contract/notebooks.js';
import { DropArea } from '../../../../modules/submission/files/drop-area';
import { useFilePicker } from '../../../../modules/submission/files/use-file-picker';
import { checkFile } from '../../../../shared/lib/check-file';
import { Dialog } from '../../../../shared/ui/dialog';

interface ReplaceDialogProps {
  document: NotebookDocument;
  onReplace: (file: File) => void;
  onClose: () => void;
}

/** Takes the newer version of a document. */
export function ReplaceDialog({ document, onReplace, onClose }: ReplaceDialogProps) {
  const id = useId();
  const [problem, setProblem] = useState<string | null>(null);
  const picker = useFilePicker({
    kind: 'document',
    onPick: (file) => {
      const refused = checkFile('document', file);
      setProblem(refused);
      if (refused === null) onReplace(file);
    },
  });
  return (
    <Dialog label="Replace by a newer version" onClose={onClose}>
      <div className="grid gap-4">
        <h2 aria-hidden="true" className="pr-10 text-2xl">
          Replace by a newer version
        </h2>
        <p className="text-quiet wrap-anywhere">
          New questions search the new version of <bdi>“{document.name}”</bdi>. The conversation stays, and
          its answers still open the version that they cite.
        </p>
        <div {...picker.areaProps}>
          <input
            {...picker.inputProps}
            id={id}
            className="peer sr-only"
            aria-describedby={problem === null ? undefined : `${id}-problem`}
          />
          <DropArea
            inputId={id}
            dragging={picker.dragging}
            invalid={problem !== null}
            className="min-h-24 p-4"
          >
            <span className="font-semibold">Choose the new version</span>
          </DropArea>
        </div>
        {problem !== null && (
          <p id={`${id}-problem`} role="alert" className="text-sm wrap-anywhere text-danger">
            {problem}
          </p>
        )}
      </div>
    </Dialog>
  );
}
