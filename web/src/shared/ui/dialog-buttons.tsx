import type { ReactNode } from 'react';
import { Button } from './button';

interface DialogButtonsProps {
  /** Label of the button that submits the form. */
  children: ReactNode;
  busy?: boolean;
  disabled?: boolean;
  onClose: () => void;
}

/** The buttons at the end of a dialog's form: submit and cancel. */
export const DialogButtons = ({ children, busy, disabled, onClose }: DialogButtonsProps) => (
  <div className="flex flex-wrap gap-3">
    <Button type="submit" variant="primary" busy={busy} disabled={disabled}>
      {children}
    </Button>
    <Button variant="quiet" onClick={onClose}>
      Cancel
    </Button>
  </div>
);
