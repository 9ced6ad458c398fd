import { useState } from 'react';
import type { Command } from 'prosemirror-state';
import { isInTable } from 'prosemirror-tables';
import type { SaveState } from '../saving/text-saver';
import { insertFormula, insertImage, linkAt, opensFormula, setLink } from './commands';
import { ConflictDialog } from './conflict-dialog';
import { FormulaDialog } from './formula-dialog';
import { ImageDialog } from './image-dialog';
import { LinkDialog } from './link-dialog';
import { selectedFormula } from './text-view';
import type { Editor } from './use-editor';

export type EditorDialogName = 'image' | 'formula' | 'link' | 'conflict';

interface EditorDialogProps {
  name: EditorDialogName;
  editor: Editor;
  status: SaveState;
  onClose: () => void;
}

export function EditorDialog({ name, editor, status, onClose }: EditorDialogProps) {
  const { view } = editor.text;
  const [opened] = useState(view.state);
  const run = (command: Command) => {
    command(view.state, view.dispatch);
    onClose();
  };
  switch (name) {
    case 'image':
      return <ImageDialog onInsert={(src, alt) => run(insertImage(src, alt))} onClose={onClose} />;
    case 'formula':
      return (
        <FormulaDialog
          {...(selectedFormula(opened) ?? {
            tex: '',
            display: opensFormula(opened),
            inLine: isInTable(opened),
          })}
          onSet={(formula, isBlock) => run(insertFormula(formula, isBlock))}
          onClose={onClose}
        />
      );
    case 'link':
      return (
        <LinkDialog
          href={linkAt(opened)?.href ?? ''}
          onSet={(href) => run(setLink(href))}
          onClose={onClose}
        />
      );
    case 'conflict':
      return (
        status.kind === 'conflict' && (
          <ConflictDialog
            parts={status.parts}
            onChoose={(text) => {
              onClose();
              editor.saver.resolve(text, status);
            }}
            onClose={onClose}
          />
        )
      );
  }
}
