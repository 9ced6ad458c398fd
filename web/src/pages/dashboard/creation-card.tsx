import { useId, useState } from 'react';
import { ChevronDown } from 'lucide-react';
import type { Creation } from '#libs/contract/creations.js';
import { CopyButton } from '../../components/copy-button';
import { formatDate } from '../../components/format';
import { ownAddress } from '../../components/images/own-address';
import { Markdown } from '../../components/markdown/markdown';
import { EngineNote } from '../../components/proof/engine-note';

/** Prompt, type and date; a click shows the image or the set text. */
export function CreationCard({ creation }: { creation: Creation }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const { prompt, type, content, engine, created_at: createdAt } = creation;
  return (
    <li className="border-b border-line">
      <h3 className="font-sans text-base font-normal tracking-normal">
        <button
          type="button"
          onClick={() => setOpen(!open)}
          aria-expanded={open}
          aria-controls={id}
          className="flex w-full items-center gap-4 px-2 py-4 text-left transition-colors hover:bg-tint sm:px-4"
        >
          <span className="min-w-0 flex-1">
            <span className="line-clamp-2 leading-snug font-semibold">{prompt}</span>
            <span className="mt-1 block text-sm text-quiet">
              <span className="capitalize">{type}</span>
              <span aria-hidden="true"> · </span>
              <time dateTime={createdAt}>{formatDate(createdAt)}</time>
            </span>
          </span>
          <ChevronDown
            aria-hidden="true"
            className={`size-5 shrink-0 text-quiet transition-transform duration-200 ${open ? 'rotate-180' : ''}`}
          />
        </button>
      </h3>
      <div id={id} hidden={!open}>
        {open && (
          <div className="sheet mb-6 animate-fade p-6 sm:p-10">
            {type === 'image' ? (
              <>
                <p className="mb-6 border-b border-line pb-4 text-sm text-quiet">
                  <EngineNote engine={engine} made />
                </p>
                <img
                  src={ownAddress(content)}
                  alt={prompt}
                  className="checker w-full max-w-xl rounded-control"
                />
              </>
            ) : (
              <>
                <div className="mb-6 flex flex-wrap items-center justify-between gap-3 border-b border-line pb-4 text-sm text-quiet">
                  <EngineNote engine={engine} made />
                  <CopyButton text={content} copied="Copied to clipboard!" failed="Failed to copy" />
                </div>
                <Markdown text={content} />
              </>
            )}
          </div>
        )}
      </div>
    </li>
  );
}
