import clsx from 'clsx';
import { Flag, Heart } from 'lucide-react';
import toast from 'react-hot-toast';
import type { PublishedCreation } from '#libs/contract/sharing.js';
import { useToggleLike } from '../../modules/creations/api/list-published';
import { sameOriginUrl } from '../../shared/lib/same-origin-url';
import { ShareButton } from '../../shared/ui/share-button';

interface PublishedImageProps {
  creation: PublishedCreation;
  onReport: () => void;
}

/** A published image. Prompt and likes appear over the image on hover or focus; on touch screens, always. */
export function PublishedImage({ creation, onReport }: PublishedImageProps) {
  const { id, content, prompt, author, likeCount, likedByMe, page } = creation;
  const toggle = useToggleLike();
  // Optimistic: shows the new state until the list is fetched again.
  const liked = toggle.isPending ? !likedByMe : likedByMe;
  const likes = likeCount + (liked === likedByMe ? 0 : liked ? 1 : -1);
  return (
    <li className="group relative mb-4 break-inside-avoid overflow-hidden rounded-panel bg-sunken">
      <img src={sameOriginUrl(content)} alt={prompt} loading="lazy" className="min-h-32 w-full" />
      <div className="absolute inset-x-0 bottom-0 flex items-end gap-3 bg-linear-to-t from-[rgb(0_0_0/0.9)] via-[rgb(0_0_0/0.72)] to-transparent px-4 pt-14 pb-3 text-[white] transition-opacity duration-200 [@media(hover:hover)]:opacity-0 [@media(hover:hover)]:group-focus-within:opacity-100 [@media(hover:hover)]:group-hover:opacity-100">
        <p className="min-w-0 flex-1 text-sm">
          <span className="line-clamp-3">{prompt}</span>
          <span className="block truncate text-[rgb(255_255_255/0.8)]">by {author.name}</span>
        </p>
        {page !== null && (
          <ShareButton
            url={page}
            title={prompt}
            className="grid min-h-11 min-w-11 place-items-center rounded-control hover:bg-[rgb(255_255_255/0.15)] focus-visible:outline-[white]"
          />
        )}
        <button
          type="button"
          aria-label="Report"
          title="Report"
          onClick={onReport}
          className="grid min-h-11 min-w-11 place-items-center rounded-control hover:bg-[rgb(255_255_255/0.15)] focus-visible:outline-[white]"
        >
          <Flag aria-hidden="true" className="size-5" />
        </button>
        <button
          type="button"
          aria-pressed={liked}
          aria-label={`Like: ${likes} ${likes === 1 ? 'person likes' : 'people like'} this image`}
          aria-disabled={toggle.isPending || undefined}
          onClick={() =>
            !toggle.isPending && toggle.mutate(id, { onError: (error) => toast.error(error.message) })
          }
          className="flex min-h-11 min-w-11 items-center justify-center gap-2 rounded-control px-2 font-mono text-sm hover:bg-[rgb(255_255_255/0.15)] focus-visible:outline-[white]"
        >
          {likes}
          <Heart
            aria-hidden="true"
            className={clsx('size-5 transition-colors', liked && 'fill-[#f27a5c] text-[#f27a5c]')}
          />
        </button>
      </div>
    </li>
  );
}
