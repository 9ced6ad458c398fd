import clsx from 'clsx';
import { FilePen, FileUp, Trash2 } from 'lucide-react';
import type { DocumentKind, NotebookDocument } from '#libs/contract/notebooks.js';
import { formatCount } from '../../../../shared/lib/format';
import { MenuItem } from '../../../../shared/ui/menu';
import { RowMenu } from '../../../../shared/ui/row-menu';

const kinds: Record<DocumentKind, string> = {
  pdf: 'PDF',
  docx: 'Word',
  text: 'Text',
  markdown: 'Markdown',
  html: 'HTML',
};

interface DocumentRowProps {
  document: NotebookDocument;
  /** What to know about its text; null if nothing. */
  notice: string | null;
  isOpen: boolean;
  onOpen: () => void;
  onEnable: (enabled: boolean) => void;
  onRename: () => void;
  onReplace: () => void;
  onRemove: () => void;
}

/** A document that can be asked about. */
export function DocumentRow(props: DocumentRowProps) {
  const { document, notice, isOpen, onOpen, onEnable, onRename, onReplace, onRemove } = props;
  const { name, source, kind, pages, enabled } = document;
  const details = [kind && kinds[kind], pages !== null && formatCount(pages, 'page')].filter(Boolean);
  return (
    <li className={clsx('flex items-start gap-1 border-b border-line py-1', isOpen && 'bg-tint')}>
      <label
        className="grid size-9 shrink-0 cursor-pointer touch:size-11 place-items-center"
        title="Search this document"
      >
        <input
          type="checkbox"
          checked={enabled}
          aria-label={`Search ${name}`}
          onChange={({ currentTarget }) => onEnable(currentTarget.checked)}
          className="size-4 accent-[var(--accent)]"
        />
      </label>
      <button
        type="button"
        aria-current={isOpen || undefined}
        onClick={onOpen}
        className={clsx(
          'min-w-0 flex-1 rounded-control px-1 py-1.5 text-left text-sm outline-offset-[-2px] hover:bg-tint',
          !enabled && 'text-quiet',
        )}
      >
        <bdi className="line-clamp-2 font-semibold wrap-anywhere" title={name}>
          {name}
        </bdi>
        <span className="block text-xs text-quiet">
          <span className="sr-only">Document </span>
          <span className="font-mono">{source}</span>
          {details.map((detail) => (
            <span key={String(detail)}>
              <span aria-hidden="true"> · </span>
              {detail}
            </span>
          ))}
          {!enabled && (
            <>
              <span aria-hidden="true"> · </span>not searched
            </>
          )}
        </span>
        {notice !== null && <span className="mt-1 block text-xs wrap-anywhere text-quiet">{notice}</span>}
      </button>
      <RowMenu label={`Actions for ${name}`}>
        <MenuItem onSelect={onRename}>
          <FilePen aria-hidden="true" className="size-4" />
          Rename
        </MenuItem>
        <MenuItem onSelect={onReplace}>
          <FileUp aria-hidden="true" className="size-4" />
          Replace by a newer version
        </MenuItem>
        <MenuItem onSelect={onRemove}>
          <Trash2 aria-hidden="true" className="size-4" />
          Remove
        </MenuItem>
      </RowMenu>
    </li>
  );
}
