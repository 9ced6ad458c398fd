import { useCreation } from './api/creation-pages';

/** Settings that are no choice of the user. */
const hidden = new Set(['seed', 'exclude']);

const TITLE = 'Input of this run';

/** The input that a creation was made from, folded; its room until it has loaded, nothing if it was deleted. */
export function RunInput({ creationId }: { creationId: string | null }) {
  const { data: creation, isError } = useCreation(creationId);
  if (isError) return null;
  if (creation === undefined)
    return (
      <p aria-hidden="true" className="invisible py-3 text-sm">
        {TITLE}
      </p>
    );
  const settings = Object.entries(creation.settings ?? {}).filter(
    ([name, value]) => !hidden.has(name) && value !== '',
  );
  return (
    <details className="text-sm text-quiet">
      <summary className="cursor-pointer py-3 hover:text-ink">{TITLE}</summary>
      <dl className="mb-3 grid max-h-60 gap-x-6 gap-y-2 overflow-y-auto wrap-anywhere @md:grid-cols-[auto_minmax(0,1fr)]">
        <dt className="font-semibold">Input</dt>
        <dd className="whitespace-pre-wrap text-ink">{creation.prompt}</dd>
        {settings.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="font-semibold">{labelOf(name)}</dt>
            <dd className="whitespace-pre-wrap text-ink">
              {typeof value === 'boolean' ? (value ? 'Yes' : 'No') : String(value)}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** "Job description" for `jobDescription`. */
function labelOf(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
