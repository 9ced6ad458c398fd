import { lazy, Suspense, useId, useState } from 'react';
import { GitCompare, History } from 'lucide-react';
import type { Creation } from '#libs/contract/creations.js';
import type { CreationVersion } from '#libs/contract/creation-versions.js';
import { Button } from '../../../shared/ui/button';
import { VersionList } from '../../creations/versions/version-list';
import { useVersion, useVersions } from '../../creations/versions/versions';

const CompareDialog = lazy(() => import('./compare-dialog'));

/** Lists the versions of a text. Each can be compared with the current text. */
export default function TextVersions({ creation: { id, content } }: { creation: Creation }) {
  const panel = useId();
  const [open, setOpen] = useState(false);
  const [compared, setCompared] = useState<CreationVersion | null>(null);
  const { data: versions = [], isError } = useVersions(id);
  const before = useVersion(id, compared?.id ?? null);
  if (versions.length < 2 && !isError) return null;
  return (
    <div className="mt-10 grid max-w-[72ch] grid-cols-1 gap-4 border-t border-line pt-5">
      <div>
        <Button
          size="small"
          aria-expanded={open}
          aria-controls={panel}
          onClick={() => setOpen(!open)}
          className={open ? 'bg-tint' : undefined}
        >
          <History aria-hidden="true" className="size-4" />
          {isError ? 'Versions' : `Versions (${versions.length})`}
        </Button>
      </div>
      <div id={panel} hidden={!open}>
        {open && isError && (
          <p role="status" className="text-quiet">
            Versions could not be loaded. They are safe. Try again in a moment.
          </p>
        )}
        {open && !isError && (
          <VersionList
            creationId={id}
            versions={versions}
            isText
            actions={(version) =>
              !version.current && (
                <Button
                  variant="quiet"
                  size="small"
                  aria-label={`Compare version ${version.number}, ${version.label}, with the current text`}
                  onClick={() => setCompared(version)}
                >
                  <GitCompare aria-hidden="true" className="size-4" />
                  Compare
                </Button>
              )
            }
          />
        )}
      </div>
      {compared !== null && (
        <Suspense fallback={null}>
          <CompareDialog
            name={compared.label}
            before={before.data?.content ?? null}
            after={content}
            error={before.error}
            onRetry={before.refetch}
            onClose={() => setCompared(null)}
          />
        </Suspense>
      )}
    </div>
  );
}
