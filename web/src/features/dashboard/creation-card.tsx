import { memo, useEffect, useId, useRef, useState } from 'react';
import { ChevronDown } from 'lucide-react';
import type { Creation } from '#libs/contract/creations.js';
import { withoutSources } from '#libs/contract/markdown.js';
import { Link } from 'react-router-dom';
import { CreationActions, NextSteps, type OnStarted } from '../../modules/creations/creation-actions';
import { paths } from '../../shared/paths';
import { titleOf } from '../../modules/creations/title-of';
import { buttonClass } from '../../shared/ui/button';
import { CopyButton } from '../../shared/ui/copy-button';
import { ExportAction } from '../../modules/text-editor/export/export-action';
import { formatDate } from '../../shared/lib/format';
import { ImageVersions } from '../../modules/image-editor/image-versions';
import { EditCutOut } from '../../modules/image-editor/cut-out/edit-cut-out';
import { DownloadButton } from '../../modules/image-editor/download-button';
import { sameOriginUrl } from '../../shared/lib/same-origin-url';
import { useImageWarnings, WarningMarks, WarningNotices } from '../../modules/image-editor/image-warnings';
import { ModerationNotice } from '../../modules/image-editor/moderation-notice';
import { PublishActions } from '../../modules/image-editor/publish-actions';
import { EditableText, EditButton } from '../../modules/text-editor/editable-text';
import { useTextEditing } from '../../modules/text-editor/use-text-editing';
import { EngineNote } from '../../modules/submission/results/engine-note';
import { RowThumbnail } from '../../shared/ui/row-thumbnail';
import { useCreationTypes } from './creation-types';
import { DeleteButton, FavouriteButton, SelectBox, type CreationRowProps } from './creation-buttons';
import { NameAndTags } from './name-and-tags';
import { clipboardHtml } from '../../modules/text-editor/export/clipboard-html';

export const CreationCard = memo(function CreationCard(props: CreationRowProps) {
  const { creation, isSelecting } = props;
  const [open, setOpen] = useState(false);
  const id = useId();
  const { type, thumbnail, tags, created_at: createdAt } = creation;
  const { label, icon } = useCreationTypes()(type);
  return (
    <li className="border-b border-line">
      <div className="flex items-center gap-1">
        {isSelecting && <SelectBox {...props} />}
        <h3 className="min-w-0 flex-1 font-sans text-base font-normal tracking-normal text-wrap">
          <button
            type="button"
            data-creation={creation.id}
            onClick={() => setOpen(!open)}
            aria-expanded={open}
            aria-controls={id}
            className="flex w-full items-center gap-3 px-2 py-3.5 text-left outline-offset-[-2px] transition-colors hover:bg-tint sm:gap-4 sm:px-4"
          >
            <RowThumbnail icon={icon} imageUrl={thumbnail} />
            <span className="min-w-0 flex-1">
              <span className="line-clamp-2 leading-snug font-semibold wrap-anywhere">
                {titleOf(creation)}
              </span>
              <span className="mt-1 line-clamp-2 text-sm text-quiet">
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
        {!isSelecting && (
          <>
            <FavouriteButton {...props} />
            <DeleteButton {...props} />
          </>
        )}
      </div>
      <div id={id} hidden={!open}>
        {open && <CreationDetails creation={creation} linked />}
      </div>
    </li>
  );
});

interface CreationDetailsProps {
  creation: Creation;
  /** True if shown in a list, with a link to the creation's page. */
  linked?: boolean;
  /** True if the editor is open at first. */
  edited?: boolean;
  /** Called with the job of another result, to show it. */
  onStarted?: OnStarted;
}

export function CreationDetails({
  creation,
  linked = false,
  edited = false,
  onStarted,
}: CreationDetailsProps) {
  const { type, content, engine, model } = creation;
  const isImage = type === 'image';
  // In a list, texts are read-only; users edit them on the creation's page.
  const editing = useTextEditing(linked ? undefined : creation);
  const text = editing.text ?? content;
  const startsEdited = useRef(edited);
  const { canEdit, start } = editing;
  useEffect(() => {
    if (!startsEdited.current || !canEdit) return;
    startsEdited.current = false;
    start();
  }, [canEdit, start]);
  return (
    <div className="panel mb-6 animate-fade p-6 sm:p-10">
      <div className="mb-6 flex flex-wrap items-center justify-between gap-3 border-b border-line pb-4 text-sm text-quiet">
        <EngineNote engine={engine} model={model} past />
        <div className="flex flex-wrap gap-2">
          {isImage ? (
            <>
              <DownloadButton url={content} creation={creation} fallback="pressroom-image" />
              <EditCutOut creation={creation} />
              <PublishActions creation={creation} />
            </>
          ) : (
            <>
              <EditButton editing={editing} />
              <CopyButton
                toHtml={clipboardHtml}
                text={withoutSources(text)}
                copied="Copied to clipboard!"
                failed="Failed to copy"
              />
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
      {creation.moderation && (
        <div className="mb-6">
          <ModerationNotice creation={creation} />
        </div>
      )}
      <NameAndTags creation={creation} />
      {/* The text's headings start at h3, so this h2 precedes them. In a list, the row has a heading. */}
      {!isImage && !linked && <h2 className="sr-only">Text</h2>}
      {isImage ? <CreationImage creation={creation} /> : <EditableText editing={editing} text={text} />}
      <NextSteps creation={creation} />
    </div>
  );
}

function CreationImage({ creation }: { creation: Creation }) {
  const { id, prompt, content } = creation;
  const warnings = useImageWarnings(creation);
  return (
    <div className="grid gap-6 lg:grid-cols-2 lg:items-start">
      <div className="grid max-w-xl gap-4 lg:sticky lg:top-24">
        <WarningNotices warnings={warnings} />
        <div className="relative">
          <img src={sameOriginUrl(content)} alt={prompt} className="checker w-full rounded-control" />
          <WarningMarks warnings={warnings} />
        </div>
      </div>
      <ImageVersions creationId={id} fileName="pressroom-image" />
    </div>
  );
}
