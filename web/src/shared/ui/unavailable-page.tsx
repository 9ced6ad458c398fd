import { Link } from 'react-router-dom';
import { buttonClass } from './button';
import { Notice } from './notice';
import { PageHeading } from './page-heading';

interface UnavailablePageProps {
  /** What the page shows, such as "creation". */
  what: string;
  /** True if it does not exist; otherwise it could not be loaded. */
  isDeleted: boolean;
  /** The link to the page that lists what there is. */
  back: { path: string; label: string };
  onRetry: () => void;
}

/** Shown instead of the page of a creation or notebook that does not exist or could not be loaded. */
export function UnavailablePage({ what, isDeleted, back, onRetry }: UnavailablePageProps) {
  return (
    <>
      <PageHeading>{isDeleted ? 'Not found' : 'One moment'}</PageHeading>
      <Notice
        tone={isDeleted ? 'note' : 'danger'}
        title={isDeleted ? `This ${what} does not exist` : `The ${what} could not be loaded`}
        action={
          isDeleted && (
            <Link to={back.path} className={buttonClass('plain', 'small')}>
              {back.label}
            </Link>
          )
        }
        onRetry={isDeleted ? undefined : onRetry}
      >
        {isDeleted ? 'It was deleted, or the link is wrong.' : 'Your work is safe. Retrying automatically.'}
      </Notice>
    </>
  );
}
