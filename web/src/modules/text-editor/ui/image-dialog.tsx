import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { ImageOff } from 'lucide-react';
import type { Creation } from '#libs/contract/creations.js';
import { shorten } from '#libs/contract/text.js';
import { useCreationPages } from '../../creations/api/creation-pages';
import { isTooFast } from '../../../shared/http/http';
import { queryKeys } from '../../../shared/http/query-keys';
import { sameOriginUrl } from '../../../shared/lib/same-origin-url';
import { Button } from '../../../shared/ui/button';
import { Dialog } from '../../../shared/ui/dialog';
import { Notice } from '../../../shared/ui/notice';
import { Loading } from '../../../shared/ui/spinner';
import { SearchBox } from '../../../shared/ui/search-box';

interface ImageDialogProps {
  /** @param src a same-origin path */
  onInsert: (src: string, alt: string) => void;
  onClose: () => void;
}

const ALT_MAX_CHARACTERS = 200;

export function ImageDialog({ onInsert, onClose }: ImageDialogProps) {
  const [search, setSearch] = useState('');
  const filter = { search, type: 'image', tag: '', favourite: false, sort: 'newest' } as const;
  const pages = useCreationPages(filter);
  const queries = useQueryClient();
  const images = pages.data?.pages.flatMap(({ creations }) => creations);
  // `error` is set only after the last automatic retry; `failureReason` is set after the first failure.
  const failure = isTooFast(pages.failureReason) ? null : pages.failureReason;
  return (
    <Dialog label="Insert image" onClose={onClose}>
      <h2 aria-hidden="true" className="text-xl">
        Insert image
      </h2>
      <p className="mt-1 mb-4 text-sm text-quiet">
        Choose one of your creations. Anyone you share the text with can see it.
      </p>
      <SearchBox
        label="Search your images"
        placeholder="Search your images"
        value={search}
        onChange={setSearch}
      />
      <div className="mt-4 min-h-48" aria-busy={pages.isPlaceholderData || undefined}>
        {failure !== null && (
          <div className="mb-4">
            <Notice
              tone="danger"
              title="Your images could not be loaded"
              // Reset the query, since a refetch would wait for the next automatic retry.
              onRetry={() => queries.resetQueries({ queryKey: queryKeys.creationPages(filter) })}
            >
              {failure.message}
            </Notice>
          </div>
        )}
        {images === undefined ? (
          failure === null && <Loading label="Loading your images" />
        ) : images.length === 0 ? (
          <p className="grid justify-items-center gap-3 py-10 text-center text-quiet">
            <ImageOff aria-hidden="true" className="size-6" strokeWidth={1.5} />
            {search === '' ? 'No images yet. Generate one to insert it here.' : 'No images found.'}
          </p>
        ) : (
          <>
            <ul className="grid grid-cols-[repeat(auto-fill,minmax(7rem,1fr))] gap-2">
              {images.map((image) => (
                <li key={image.id}>
                  <ImageButton
                    image={image}
                    onClick={() =>
                      onInsert(sameOriginUrl(image.content), shorten(image.prompt, ALT_MAX_CHARACTERS))
                    }
                  />
                </li>
              ))}
            </ul>
            {pages.hasNextPage && (
              <Button
                size="small"
                className="mt-4"
                busy={pages.isFetchingNextPage}
                onClick={() => void pages.fetchNextPage()}
              >
                Show more
              </Button>
            )}
          </>
        )}
      </div>
    </Dialog>
  );
}

function ImageButton({
  image: { prompt, thumbnail, content },
  onClick,
}: {
  image: Creation;
  onClick: () => void;
}) {
  return (
    <button
      type="button"
      onClick={onClick}
      title={prompt}
      className="block w-full overflow-hidden rounded-control border border-line bg-sunken hover:border-ink"
    >
      <img
        src={sameOriginUrl(thumbnail ?? content)}
        alt={prompt}
        loading="lazy"
        className="checker aspect-square w-full object-cover"
      />
    </button>
  );
}
