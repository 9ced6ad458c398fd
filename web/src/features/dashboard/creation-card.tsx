import { useId, useRef, useState } from 'react';
import { ChevronDown, Trash2 } from 'lucide-react';
import type { Creation } from '#libs/contract/creations.js';
import { withoutSources } from '#libs/contract/rests-on.js';
import { Link } from 'react-router-dom';
import type { Job } from '#libs/contract/jobs.js';
import { CreationActions, NextSteps } from '../../shared/creations/creation-actions';
import { paths } from '../../shared/paths';
import { titleOf } from '../../shared/creations/title-of';
import { buttonClass } from '../../shared/ui/button';
import { CopyButton } from '../../shared/ui/copy-button';
import { ExportAction } from '../../shared/export/export-action';
import { formatDate } from '../../shared/lib/format';
import { ImageVersions } from '../../shared/images/image-versions';
import { EditCutOut } from '../../shared/images/cut-out/edit-cut-out';
import { DownloadButton } from '../../shared/images/download-button';
import { sameOriginUrl } from '../../shared/lib/same-origin-url';
import { PublishActions } from '../../shared/images/publish-actions';
import { EditableText, EditButton } from '../../shared/text-editor/editable-text';
import { useTextEditing } from '../../shared/text-editor/use-text-editing';
import { EngineNote } from '../../shared/results/engine-note';
import { RowThumbnail } from '../../shared/ui/row-thumbnail';
import { useCreationTypes } from './creation-types';
import { FavouriteButton } from './favourite-button';
import { NameAndTags } from './name-and-tags';
import type { Selection } from './use-selection';

interface CreationCardProps {
  creation: Creation;
  selection: Selection;
  onDelete: (creations: readonly Creation[]) => void;
}

export function CreationCard({ creation, selection, onDelete }: CreationCardProps) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const card = useRef<HTMLLIElement>(null);
  const { type, thumbnail, tags, created_at: createdAt } = creation;
  const title = titleOf(creation);
  const { label, icon } = useCreationTypes()(type);
  const remove = () => {
    // This card is removed, so the focus moves to its neighbour.
    const neighbour = card.current?.nextElementSibling ?? card.current?.previousElementSibling;
    neighbour?.querySelector<HTMLElement>('[aria-expanded]')?.focus();
    onDelete([creation]);
  };
  return (
    <li ref={card} className="border-b border-line">
      <div className="flex items-center gap-1">
        {selection.active && <SelectBox creation={creation} selection={selection} />}
        <h3 className="min-w-0 flex-1 font-sans text-base font-normal tracking-normal text-wrap">
          <button
            type="button"
            onClick={() => setOpen(!open)}
            aria-expanded={open}
            aria-controls={id}
            className="flex w-full items-center gap-3 px-2 py-3.5 text-left transition-colors hover:bg-tint sm:gap-4 sm:px-4"
          >
            <RowThumbnail icon={icon} imageUrl={thumbnail} />
            <span className="min-w-0 flex-1">
              <span className="line-clamp-2 leading-snug font-semibold wrap-anywhere">{title}</span>
              <span className="mt-1 block text-sm text-quiet">
                {label}
                <span aria-hidden="true"> · </span>
                <time dateTime={createdAt}>{formatDate(createdAt)}</time>
                {tags.length > 0 && (
                  <>
                    <span aria-hidden="true"> · </span>
                    <span className="sr-only">Tags: </span>
                    {tags.join(', ')}
                  </>
                )}
              </span>
            </span>
            <ChevronDown
              aria-hidden="true"
              className={`size-5 shrink-0 text-quiet transition-transform duration-200 ${open ? 'rotate-180' : ''}`}
            />
          </button>
        </h3>
        <FavouriteButton creation={creation} />
        <button
          type="button"
          aria-label={`Delete ${title}`}
          title="Delete"
          onClick={remove}
          className="grid size-11 shrink-0 place-items-center rounded-control text-quiet hover:bg-tint hover:text-danger"
        >
          <Trash2 aria-hidden="true" className="size-4" />
        </button>
      </div>
      <div id={id} hidden={!open}>
        {open && <CreationDetails creation={creation} linked />}
      </div>
    </li>
  );
}

export function SelectBox({ creation, selection }: Pick<CreationCardProps, 'creation' | 'selection'>) {
  return (
    <label className="grid size-11 shrink-0 cursor-pointer place-items-center">
      <input
        type="checkbox"
        aria-label={`Select ${titleOf(creation)}`}
        checked={selection.has(creation.id)}
        onChange={({ nativeEvent }) =>
          selection.toggle(creation.id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
        }
        className="size-5 cursor-pointer accent-[var(--accent)]"
      />
    </label>
  );
}

interface CreationDetailsProps {
  creation: Creation;
  /** Whether to link to its page. */
  linked?: boolean;
  /** Shows a job that makes another. */
  onStarted?: (job: Job) => void;
}

export function CreationDetails({ creation, linked = false, onStarted }: CreationDetailsProps) {
  const { type, content, engine, model } = creation;
  const isImage = type === 'image';
  // A list may show many: one is edited on its page.
  const editing = useTextEditing(linked ? undefined : creation);
  const text = editing.text ?? content;
  return (
    <div className="panel mb-6 animate-fade p-6 sm:p-10">
      <div className="mb-6 flex flex-wrap items-center justify-between gap-3 border-b border-line pb-4 text-sm text-quiet">
        <EngineNote engine={engine} model={model} past />
        <div className="flex flex-wrap gap-2">
          {isImage ? (
            <>
              <DownloadButton url={content} name="pressroom-image" />
              <EditCutOut creation={creation} />
              <PublishActions creation={creation} />
            </>
          ) : (
            <>
              <EditButton editing={editing} />
              <CopyButton text={withoutSources(text)} copied="Copied to clipboard!" failed="Failed to copy" />
              <ExportAction text={withoutSources(text)} title={titleOf(creation)} />
            </>
          )}
          <CreationActions creation={creation} onStarted={onStarted} />
          {linked && (
            <Link to={paths.creation(creation.id)} className={buttonClass('plain', 'small')}>
              Open its page
            </Link>
          )}
        </div>
      </div>
      <NameAndTags creation={creation} />
      {isImage ? <CreationImage creation={creation} /> : <EditableText editing={editing} text={text} />}
      <NextSteps creation={creation} />
    </div>
  );
}

function CreationImage({ creation: { id, prompt, content } }: { creation: Creation }) {
  return (
    <div className="grid grid-cols-1 gap-6">
      <img src={sameOriginUrl(content)} alt={prompt} className="checker w-full max-w-xl rounded-control" />
      <ImageVersions creationId={id} fileName="pressroom-image" />
    </div>
  );
}
