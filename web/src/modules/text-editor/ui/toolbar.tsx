import type { ReactNode } from 'react';
import clsx from 'clsx';
import { Toolbar as Radix } from 'radix-ui';
import {
  Bold,
  Code,
  Image,
  Italic,
  Link,
  List,
  ListChecks,
  ListOrdered,
  ListTree,
  Quote,
  FileUp,
  Redo2,
  Search,
  Sigma,
  Strikethrough,
  Table,
  Undo2,
  type LucideIcon,
} from 'lucide-react';
import { redo, undo } from 'prosemirror-history';
import type { Command } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { addColumnAfter, addRowAfter, deleteColumn, deleteRow, deleteTable } from 'prosemirror-tables';
import { MenuItem } from '../../../shared/ui/menu';
import { Spinner } from '../../../shared/ui/spinner';
import { ToolbarMenu } from '../../../shared/ui/toolbar-menu';
import {
  headingLevels,
  insertRule,
  insertTable,
  toCode,
  toggleBullets,
  toggleCode,
  toggleEmphasis,
  toggleNumbers,
  toggleQuote,
  toggleStrike,
  toggleStrong,
  toggleTask,
  toHeading,
  toParagraph,
} from './commands';
import { goTo, headingsOf } from './outline';
import { scrollRoom } from './text-view';
import type { ToolState } from './tool-state';

interface ToolbarProps {
  controls: string;
  tools: ToolState;
  view: EditorView;
  onDialog: (dialog: 'link' | 'image' | 'formula') => void;
  onFind: () => void;
  importing: boolean;
  onImport: () => void;
  rewrite: ReactNode;
}

const isMac = () => /mac|iphone|ipad/i.test(navigator.userAgent);
/** Formats a shortcut for this device: `Mod` becomes `⌘` on a Mac and `Ctrl` elsewhere. */
export const keysText = (keys: string) => keys.replace('Mod', isMac() ? '⌘' : 'Ctrl');

export function Toolbar({
  controls,
  tools,
  view,
  onDialog,
  onFind,
  importing,
  onImport,
  rewrite,
}: ToolbarProps) {
  const run = (command: Command) => {
    command(view.state, view.dispatch, view);
    view.focus();
  };
  const focusText = () => view.focus();
  const tool = (name: string, Icon: LucideIcon, command: Command, keys: string, pressed?: boolean) => (
    <Tool name={name} icon={Icon} keys={keys} pressed={pressed} onUse={() => run(command)} />
  );
  return (
    <Radix.Root
      aria-label="Formatting"
      aria-controls={controls}
      className="flex items-center overflow-x-auto @lg:flex-wrap @lg:overflow-x-visible"
    >
      <ToolbarMenu label={tools.block} name={`Style: ${tools.block}`} onClosed={focusText}>
        <ToolMenuItem keys={keysText('Mod+Alt+0')} onUse={() => run(toParagraph)}>
          Text
        </ToolMenuItem>
        {headingLevels.map((level) => (
          <ToolMenuItem key={level} keys={keysText(`Mod+Alt+${level}`)} onUse={() => run(toHeading(level))}>
            Heading {level}
          </ToolMenuItem>
        ))}
        <ToolMenuItem keys="```" onUse={() => run(toCode)}>
          Code
        </ToolMenuItem>
        <ToolMenuItem keys="" onUse={() => run(insertRule)}>
          Divider
        </ToolMenuItem>
      </ToolbarMenu>
      <Divider />
      {tool('Bold', Bold, toggleStrong, 'Mod+B', tools.strong)}
      {tool('Italic', Italic, toggleEmphasis, 'Mod+I', tools.emphasis)}
      {tool('Strikethrough', Strikethrough, toggleStrike, 'Mod+Shift+X', tools.strike)}
      {tool('Code', Code, toggleCode, 'Mod+E', tools.code)}
      <Tool name="Link" icon={Link} keys="Mod+K" pressed={tools.link} onUse={() => onDialog('link')} />
      <Divider />
      {tool('Bulleted list', List, toggleBullets, 'Mod+Shift+8', tools.bullets)}
      {tool('Numbered list', ListOrdered, toggleNumbers, 'Mod+Shift+7', tools.numbers)}
      {(tools.bullets || tools.numbers) && tool('Tasks', ListChecks, toggleTask, '', tools.task)}
      {tool('Quote', Quote, toggleQuote, '>', tools.quote)}
      {tools.table ? (
        <ToolbarMenu label="Table" name="Table" onClosed={focusText}>
          <ToolMenuItem onUse={() => run(addRowAfter)}>Insert row below</ToolMenuItem>
          <ToolMenuItem onUse={() => run(addColumnAfter)}>Insert column after</ToolMenuItem>
          <ToolMenuItem onUse={() => run(deleteRow)}>Delete row</ToolMenuItem>
          <ToolMenuItem onUse={() => run(deleteColumn)}>Delete column</ToolMenuItem>
          <ToolMenuItem onUse={() => run(deleteTable)}>Delete table</ToolMenuItem>
        </ToolbarMenu>
      ) : (
        tool('Insert table', Table, insertTable, '')
      )}
      <Tool name="Insert image" icon={Image} keys="" onUse={() => onDialog('image')} />
      <Tool name="Insert formula" icon={Sigma} keys="" onUse={() => onDialog('formula')} />
      <Tool name="Import a Word or Markdown file" icon={FileUp} keys="" busy={importing} onUse={onImport} />
      <Divider />
      {rewrite}
      <Divider />
      <Tool name="Find and replace" icon={Search} keys="Mod+F" onUse={onFind} />
      <ToolbarMenu icon={ListTree} name="Outline" onClosed={focusText}>
        <Outline view={view} />
      </ToolbarMenu>
      <Divider />
      <Tool name="Undo" icon={Undo2} keys="Mod+Z" disabled={!tools.canUndo} onUse={() => run(undo)} />
      <Tool name="Redo" icon={Redo2} keys="Mod+Shift+Z" disabled={!tools.canRedo} onUse={() => run(redo)} />
    </Radix.Root>
  );
}

const Divider = () => <Radix.Separator className="mx-0.5 h-6 w-px shrink-0 bg-line" />;

interface ToolProps {
  name: string;
  icon: LucideIcon;
  keys: string;
  pressed?: boolean;
  disabled?: boolean;
  busy?: boolean;
  onUse: () => void;
}

function Tool({ name, icon: Icon, keys, pressed, disabled = false, busy = false, onUse }: ToolProps) {
  return (
    <Radix.Button
      aria-label={name}
      aria-pressed={pressed}
      aria-disabled={disabled || busy || undefined}
      aria-busy={busy || undefined}
      title={keys === '' ? name : `${name} (${keysText(keys)})`}
      // Prevents the default, so that the text keeps its focus and selection and phones keep their keyboard open.
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => !disabled && !busy && onUse()}
      className={clsx(
        'grid size-9 shrink-0 place-items-center rounded-control touch:size-11',
        disabled ? 'opacity-40' : 'hover:bg-tint hover:text-ink',
        pressed ? 'bg-tint text-ink' : 'text-quiet',
      )}
    >
      {busy ? <Spinner /> : <Icon aria-hidden="true" className="size-4" />}
    </Radix.Button>
  );
}

function Outline({ view }: { view: EditorView }) {
  const all = headingsOf(view.state);
  if (all.length === 0) return <p className="px-3 py-2 text-sm text-quiet">No headings yet.</p>;
  const highest = Math.min(...all.map(({ level }) => level));
  return all.map(({ text, level, position }) => (
    <ToolMenuItem key={position} onUse={() => goTo(view, position, scrollRoom.top)}>
      <span className={clsx('line-clamp-2', indents[level - highest] ?? 'pl-9')}>{text}</span>
    </ToolMenuItem>
  ));
}

const indents = ['', 'pl-3', 'pl-6'];

function ToolMenuItem({
  keys = '',
  onUse,
  children,
}: {
  keys?: string;
  onUse: () => void;
  children: ReactNode;
}) {
  return (
    <MenuItem onSelect={onUse}>
      <span className="flex-1">{children}</span>
      {keys !== '' && (
        <span aria-hidden="true" className="font-mono text-xs text-quiet">
          {keys}
        </span>
      )}
    </MenuItem>
  );
}
