import { useState, type ReactNode } from 'react';
import toast from 'react-hot-toast';
import { Check, RotateCcw, Tag, Trash2 } from 'lucide-react';
import { VERSION_LABEL_MAX, type CreationVersion } from '#libs/contract/creation-versions.js';
import { useFocusKeeper } from '../../../shared/lib/use-focus-keeper';
import { formatTime } from '../../../shared/lib/format';
import { sameOriginUrl } from '../../../shared/lib/same-origin-url';
import { Button } from '../../../shared/ui/button';
import { NameForm } from '../name-form';
import { useDeleteVersion, useNameVersion, useRestoreVersion } from './versions';

interface VersionListProps {
  creationId: string;
  /** Newest first. */
  versions: readonly CreationVersion[];
  isText?: boolean;
  /** Renders additional actions for a version. */
  actions?: (version: CreationVersion) => ReactNode;
}

/** Lists the versions of a creation, with buttons to rename, restore and delete them. */
export function VersionList({ creationId, versions, isText = false, actions }: VersionListProps) {
  const restore = useRestoreVersion(creationId);
  const remove = useDeleteVersion(creationId);
  const rename = useNameVersion(creationId);
  const list = useFocusKeeper<HTMLOListElement>();
  const [asked, setAsked] = useState<string | null>(null);
  const [named, setNamed] = useState<string | null>(null);
  const onError = (error: Error) => toast.error(error.message);
  return (
    <ol ref={list} tabIndex={-1} aria-label="Versions" className="grid gap-px">
      {versions.map((version) => {
        const { id, number, label, createdAt, width, height, content, thumbnail, current, original } =
          version;
        return (
          <li
            key={id}
            tabIndex={-1}
            aria-current={current || undefined}
            className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-3"
          >
            {!isText && (
              <img
                src={sameOriginUrl(thumbnail ?? content!)}
                alt=""
                loading="lazy"
                className="checker size-16 shrink-0 rounded-control border border-line object-contain"
              />
            )}
            {named === id ? (
              <div className="min-w-0 flex-1">
                <NameForm
                  label={`Name of version ${number}`}
                  name={version.named ? label : ''}
                  maxLength={VERSION_LABEL_MAX}
                  busy={rename.isPending}
                  onName={(name) =>
                    rename.mutate({ version: id, label: name }, { onSuccess: () => setNamed(null), onError })
                  }
                  onCancel={() => setNamed(null)}
                />
              </div>
            ) : (
              <>
                <div className="min-w-40 flex-1">
                  <p className="leading-snug font-semibold wrap-anywhere">{label}</p>
                  <p className="mt-0.5 text-sm text-quiet">
                    <time dateTime={createdAt}>{formatTime(createdAt)}</time>
                    {width !== null && height !== null && ` · ${width} × ${height}`}
                  </p>
                </div>
                <div className="flex flex-wrap gap-2">
                  {asked !== id && actions?.(version)}
                  {asked !== id && !original && (
                    <Button
                      variant="quiet"
                      size="small"
                      aria-label={`Name version ${number}, ${label}`}
                      onClick={() => setNamed(id)}
                    >
                      <Tag aria-hidden="true" className="size-4" />
                      Name
                    </Button>
                  )}
                  {current ? (
                    <span className="flex min-h-9 items-center gap-2 text-sm font-semibold">
                      <Check aria-hidden="true" className="size-4" />
                      Current
                    </span>
                  ) : asked === id ? (
                    <>
                      <Button
                        variant="danger"
                        size="small"
                        busy={remove.isPending}
                        onClick={() => remove.mutate(id, { onError, onSettled: () => setAsked(null) })}
                      >
                        Delete permanently
                      </Button>
                      {/* The pressed Delete button is removed, so the focus moves to Cancel. */}
                      {/* eslint-disable-next-line jsx-a11y/no-autofocus */}
                      <Button size="small" autoFocus onClick={() => setAsked(null)}>
                        Cancel
                      </Button>
                    </>
                  ) : (
                    <>
                      <Button
                        size="small"
                        aria-label={`Restore version ${number}, ${label}`}
                        busy={restore.isPending && restore.variables === id}
                        onClick={() =>
                          restore.mutate(id, {
                            onError,
                            onSuccess: () => toast.success('Version restored'),
                          })
                        }
                      >
                        <RotateCcw aria-hidden="true" className="size-4" />
                        Restore
                      </Button>
                      {!original && (
                        <Button
                          variant="quiet"
                          size="small"
                          aria-label={`Delete version ${number}, ${label}`}
                          onClick={() => setAsked(id)}
                        >
                          <Trash2 aria-hidden="true" className="size-4" />
                        </Button>
                      )}
                    </>
                  )}
                </div>
              </>
            )}
          </li>
        );
      })}
    </ol>
  );
}
