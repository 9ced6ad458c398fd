import { useState } from 'react';
import { NOTEBOOK_NAME_MAX_CHARACTERS, PASTED_TEXT_MAX_CHARACTERS } from '#libs/contract/notebooks.js';
import { shorten } from '#libs/contract/text.js';
import { Dialog } from '../../../../shared/ui/dialog';
import { DialogButtons } from '../../../../shared/ui/dialog-buttons';
import { TextAreaField } from '../../../../shared/ui/text-area-field';
import { TextField } from '../../../../shared/ui/text-field';

const DEFAULT_NAME_CHARACTERS = 60;

interface PasteDialogProps {
  onAdd: (text: string, name: string) => void;
  onClose: () => void;
}

/** Takes a text that becomes a document. */
export function PasteDialog({ onAdd, onClose }: PasteDialogProps) {
  const [text, setText] = useState('');
  const [name, setName] = useState('');
  const firstLine =
    text
      .trim()
      .split('\n', 1)[0]
      ?.replace(/^#+\s*/, '') ?? '';
  const defaultName = shorten(firstLine, DEFAULT_NAME_CHARACTERS);
  return (
    <Dialog label="Paste a text" wide guarded={text.trim() !== ''} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() !== '') onAdd(text, name.trim() || defaultName);
        }}
        className="grid gap-5"
      >
        <h2 aria-hidden="true" className="pr-10 text-2xl">
          Paste a text
        </h2>
        <TextAreaField
          label="Text"
          hint="Markdown headings, lists and tables are understood."
          multiline
          dir="auto"
          value={text}
          maxLength={PASTED_TEXT_MAX_CHARACTERS}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <TextField
          label="Name"
          dir="auto"
          value={name}
          placeholder={defaultName}
          maxLength={NOTEBOOK_NAME_MAX_CHARACTERS}
          autoComplete="off"
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <DialogButtons disabled={text.trim() === ''} onClose={onClose}>
          Add the text
        </DialogButtons>
      </form>
    </Dialog>
  );
}
