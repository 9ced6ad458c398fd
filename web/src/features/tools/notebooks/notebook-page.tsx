import { useParams } from 'react-router-dom';
import { isNotFound } from '../../../shared/http/http';
import { paths } from '../../../shared/paths';
import { Loading } from '../../../shared/ui/spinner';
import { UnavailablePage } from '../../../shared/ui/unavailable-page';
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
    <UnavailablePage
      what="notebook"
      isDeleted={isDeleted}
      back={{ path: paths.notebooks, label: 'Go to your notebooks' }}
      onRetry={() => void refetch()}
    />
  );
}
