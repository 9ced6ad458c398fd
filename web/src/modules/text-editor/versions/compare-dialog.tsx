import { Dialog } from '../../../shared/ui/dialog';
import { Notice } from '../../../shared/ui/notice';
import { Loading } from '../../../shared/ui/spinner';
import { countWords } from '../ui/save-status';
import { changesOf, type Change } from './changes';

interface CompareDialogProps {
  name: string;
  /** Null while it loads. */
  before: string | null;
  after: string;
  error: Error | null;
  onRetry: () => unknown;
  onClose: () => void;
}

export default function CompareDialog({ name, before, after, error, onRetry, onClose }: CompareDialogProps) {
  return (
    <Dialog label={`Changes since “${name}”`} full onClose={onClose}>
      <h2 aria-hidden="true" className="pr-12 text-2xl wrap-anywhere">
        Changes since “{name}”
      </h2>
      {before !== null ? (
        <Changes before={before} after={after} />
      ) : error ? (
        <Notice tone="danger" title="The version could not be loaded" onRetry={onRetry}>
          {error.message}
        </Notice>
      ) : (
        <Loading label="Loading the version" />
      )}
    </Dialog>
  );
}

function Changes({ before, after }: { before: string; after: string }) {
  const changes = changesOf(before, after);
  const count = (kind: Change['kind']) =>
    changes.reduce((sum, change) => sum + (change.kind === kind ? countWords(change.text) : 0), 0);
  const isSame = changes.every(({ kind }) => kind === 'same');
  return (
    <>
      <p className="mt-2 text-quiet">
        {isSame
          ? 'This is the current text.'
          : `${wordsText(count('added'))} added, ${wordsText(count('removed'))} removed.`}
      </p>
      <div dir="auto" className="mt-6 max-w-[72ch] leading-relaxed whitespace-pre-wrap wrap-anywhere">
        {changes.map(({ kind, text }, index) =>
          kind === 'same' ? (
            <span key={index}>{text}</span>
          ) : kind === 'added' ? (
            <ins key={index} className="bg-success/15 text-success underline">
              {text}
            </ins>
          ) : (
            <del key={index} className="bg-danger/10 text-danger line-through">
              {text}
            </del>
          ),
        )}
      </div>
    </>
  );
}

const wordsText = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'word' : 'words'}`;
