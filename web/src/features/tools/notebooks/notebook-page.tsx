import { Link, useParams } from 'react-router-dom';
import { isNotFound } from '../../../shared/http/http';
import { paths } from '../../../shared/paths';
import { buttonClass } from '../../../shared/ui/button';
import { Notice } from '../../../shared/ui/notice';
import { PageHeading } from '../../../shared/ui/page-heading';
import { Loading } from '../../../shared/ui/spinner';
import { useNotebook } from './api/notebook-calls';
import { NotebookWorkspace } from './notebook-workspace';

/** Page of one notebook: its documents, the conversation about them, and the open document or the notes. */
export default function NotebookPage() {
  const { id = '' } = useParams();
  const { data, failureReason, refetch } = useNotebook(id);
  // The notebook can also be deleted while this page is open; the query then still has its data.
  const isDeleted = isNotFound(failureReason);
  if (data !== undefined && !isDeleted) return <NotebookWorkspace key={id} {...data} />;
  if (failureReason === null) return <Loading label="Loading the notebook" />;
  return (
    <>
      <PageHeading>{isDeleted ? 'Not found' : 'One moment'}</PageHeading>
      <Notice
        tone={isDeleted ? 'note' : 'danger'}
        title={isDeleted ? 'This notebook does not exist' : 'The notebook could not be loaded'}
        action={
          isDeleted && (
            <Link to={paths.notebooks} className={buttonClass('plain', 'small')}>
              Go to your notebooks
            </Link>
          )
        }
        onRetry={isDeleted ? undefined : refetch}
      >
        {isDeleted ? 'It was deleted, or the link is wrong.' : 'Your work is safe. Retrying automatically.'}
      </Notice>
    </>
  );
}
