import { Button } from '../../../shared/ui/button';
import { Dialog } from '../../../shared/ui/dialog';

interface SamePdfDialogProps {
  /** Name of the conversation about the same file. */
  name: string;
  onGoOn: () => void;
  onStartNew: () => void;
}

/** Asks whether to go on with the conversation about a file that was chosen under another name. */
export function SamePdfDialog({ name, onGoOn, onStartNew }: SamePdfDialogProps) {
  return (
    <Dialog label="You have a conversation about this file" initialFocus="dialog" onClose={onStartNew}>
      <div className="grid gap-5">
        <h2 aria-hidden="true" className="pr-10 text-2xl">
          You have a conversation about this file
        </h2>
        <p className="text-quiet wrap-anywhere">
          Its content is the same as that of <bdi>“{name}”</bdi>.
        </p>
        <div className="grid gap-3">
          <Button variant="primary" className="min-w-0" onClick={onGoOn}>
            <span className="min-w-0 truncate">
              Go on with <bdi>“{name}”</bdi>
            </span>
          </Button>
          <Button onClick={onStartNew}>Start a new conversation</Button>
        </div>
      </div>
    </Dialog>
  );
}
