import { useMutation } from '@tanstack/react-query';
import toast from 'react-hot-toast';
import { operationRoutes } from '#libs/contract/routes/operations.js';
import { useHttp } from '../../shared/account/use-http';
import { call } from '../../shared/http/call';
import { Button } from '../../shared/ui/button';

/** Opens the queue board, a page that the server renders. */
export function QueueBoardButton() {
  const http = useHttp();
  const open = useMutation({
    mutationFn: () => call(http, operationRoutes.openQueueBoard, {}),
    onSuccess: ({ url }) => window.location.assign(url),
    onError: ({ message }) => toast.error(message),
  });
  return (
    // Stays busy after success, until the browser has left the page.
    <Button busy={open.isPending || open.isSuccess} onClick={() => open.mutate()}>
      Queue board
    </Button>
  );
}
