import { X } from 'lucide-react';
import { Loading } from '../../shared/ui/spinner';
import { Notice } from '../../shared/ui/notice';
import { Button } from '../../shared/ui/button';
import { sameOriginUrl } from '../../shared/lib/same-origin-url';
import type { useSource } from './use-source';

interface SourceFieldProps {
  source: ReturnType<typeof useSource>;
  /** True if the tool's current engine can change an image. */
  canChange: boolean;
}

/** Shows the creation that a new image is based on, with a button to remove it. Renders nothing if the URL names none. */
export function SourceField({ source: { source, loading, problem, remove }, canChange }: SourceFieldProps) {
  const action = (
    <Button size="small" onClick={remove}>
      Continue without it
    </Button>
  );
  if (loading && problem === null) return <Loading label="Loading your picture" />;
  if (problem !== null)
    return (
      <Notice tone="warning" title={loading ? 'One moment' : 'Picture unavailable'} action={action}>
        {problem}
      </Notice>
    );
  if (source === null) return null;
  if (!canChange)
    return (
      <Notice tone="warning" title="This server only draws new pictures" action={action}>
        It cannot edit a picture. Your description is drawn without it.
      </Notice>
    );
  const { prompt, thumbnail, content } = source.creation;
  return (
    <div role="group" aria-label="Made from" className="grid gap-2">
      <p className="text-sm font-semibold">Made from</p>
      <div className="flex items-center gap-3 rounded-control border border-line bg-sunken p-2">
        <img
          src={sameOriginUrl(thumbnail ?? content)}
          alt=""
          className="checker size-16 shrink-0 rounded-[4px] object-cover"
        />
        <p className="line-clamp-2 min-w-0 flex-1 text-sm wrap-anywhere">{prompt}</p>
        <button
          type="button"
          onClick={remove}
          aria-label="Remove the picture"
          className="grid size-11 shrink-0 place-items-center rounded-control text-quiet hover:bg-tint hover:text-ink"
        >
          <X aria-hidden="true" className="size-4" />
        </button>
      </div>
      <p className="text-sm text-quiet">Describe the change below.</p>
    </div>
  );
}
