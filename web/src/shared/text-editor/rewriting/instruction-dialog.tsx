import { useState, type FormEvent } from 'react';
import { INSTRUCTION_MAX_CHARACTERS } from '#libs/tools/rewrite-text/contract.js';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { TextAreaField } from '../../ui/text-area-field';

interface InstructionDialogProps {
  onAsk: (instruction: string) => void;
  onClose: () => void;
}

/** Asks what to do with a passage, in its user's own words. */
export function InstructionDialog({ onAsk, onClose }: InstructionDialogProps) {
  const [instruction, setInstruction] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (instruction.trim() !== '') onAsk(instruction.trim());
  };
  return (
    <Dialog label="Rewrite as you ask" onClose={onClose}>
      <h2 aria-hidden="true" className="text-xl">
        Rewrite as you ask
      </h2>
      <form onSubmit={submit} noValidate className="mt-4 grid gap-4">
        <TextAreaField
          label="What should be done with the passage?"
          placeholder="Turn it into a list of steps"
          maxLength={INSTRUCTION_MAX_CHARACTERS}
          value={instruction}
          onChange={(event) => setInstruction(event.target.value)}
        />
        <div>
          <Button variant="primary" type="submit" disabled={instruction.trim() === ''}>
            Rewrite
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
