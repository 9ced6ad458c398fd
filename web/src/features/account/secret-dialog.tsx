import type { ReactNode } from 'react';
import { Button } from '../../shared/ui/button';
import { CopyButton } from '../../shared/ui/copy-button';
import { Dialog } from '../../shared/ui/dialog';
import { Notice } from '../../shared/ui/notice';

interface SecretDialogProps {
  title: string;
  /** What it is, in texts such as "API key copied". */
  noun: string;
  secret: string;
  /** How to use it. */
  children: ReactNode;
  onClose: () => void;
}

/** Shows a new secret. Guarded, since it cannot be shown again. */
export const SecretDialog = ({ title, noun, secret, children, onClose }: SecretDialogProps) => (
  <Dialog label={title} wide guarded onClose={onClose}>
    <h2 aria-hidden="true" className="pr-10 text-2xl">
      {title}
    </h2>
    <div className="mt-5 grid gap-4">
      <Notice tone="warning" title="Copy it now">
        It is shown only once. Anybody who has it can use it.
      </Notice>
      <code className="block rounded-control border border-line bg-sunken p-4 font-mono text-sm break-all select-all">
        {secret}
      </code>
      <p className="text-[0.9375rem] text-quiet">{children}</p>
      <div className="flex flex-wrap gap-3">
        <CopyButton
          text={secret}
          copied={`${noun} copied`}
          failed={`The ${noun.charAt(0).toLowerCase()}${noun.slice(1)} could not be copied. Select it.`}
        />
        <Button size="small" variant="quiet" onClick={onClose}>
          Done
        </Button>
      </div>
    </div>
  </Dialog>
);
