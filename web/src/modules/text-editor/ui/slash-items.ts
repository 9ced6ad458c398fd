import type { LucideIcon } from 'lucide-react';
import {
  Heading1,
  Heading2,
  Heading3,
  Image,
  List,
  ListChecks,
  ListOrdered,
  Minus,
  Pilcrow,
  Quote,
  Sigma,
  SquareCode,
  Table,
  Workflow,
} from 'lucide-react';
import type { Command, EditorState } from 'prosemirror-state';
import {
  insertRule,
  insertTable,
  toCode,
  toDiagram,
  toggleBullets,
  toggleNumbers,
  toggleQuote,
  toHeading,
  toParagraph,
  toTasks,
} from './commands';

export interface SlashItem {
  label: string;
  icon: LucideIcon;
  /** The command to run; null for an item that opens a dialog. */
  command: Command | null;
  dialog?: 'image' | 'formula';
  /** Words that find the item besides its label, separated by spaces. */
  words: string;
}

const all: readonly SlashItem[] = [
  { label: 'Text', icon: Pilcrow, command: toParagraph, words: 'paragraph plain' },
  { label: 'Heading 1', icon: Heading1, command: toHeading(1), words: 'title h1 #' },
  { label: 'Heading 2', icon: Heading2, command: toHeading(2), words: 'subtitle h2 ##' },
  { label: 'Heading 3', icon: Heading3, command: toHeading(3), words: 'h3 ###' },
  { label: 'Bulleted list', icon: List, command: toggleBullets, words: 'points ul -' },
  { label: 'Numbered list', icon: ListOrdered, command: toggleNumbers, words: 'ordered ol 1.' },
  { label: 'Tasks', icon: ListChecks, command: toTasks, words: 'todo checklist []' },
  { label: 'Quote', icon: Quote, command: toggleQuote, words: 'blockquote citation >' },
  { label: 'Table', icon: Table, command: insertTable, words: 'grid rows columns |' },
  { label: 'Code', icon: SquareCode, command: toCode, words: 'pre ```' },
  { label: 'Diagram', icon: Workflow, command: toDiagram, words: 'mermaid flowchart graph' },
  { label: 'Divider', icon: Minus, command: insertRule, words: 'rule line hr separator ---' },
  { label: 'Image', icon: Image, command: null, dialog: 'image', words: 'picture photo' },
  { label: 'Formula', icon: Sigma, command: null, dialog: 'formula', words: 'maths equation tex latex $' },
];

/** The items that match the typed text and whose commands apply at the cursor. */
export function slashItems(typed: string, state: EditorState): SlashItem[] {
  const wanted = typed.toLowerCase();
  return all.filter(({ label, words, command }) => {
    const names = `${label.toLowerCase()} ${words}`.split(' ');
    return names.some((name) => name.startsWith(wanted)) && (command === null || command(state));
  });
}
