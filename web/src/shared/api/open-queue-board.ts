import { useMutation } from '@tanstack/react-query';
import { operationRoutes } from '#libs/contract/routes/operations.js';
import { call } from './call';
import { useHttp } from '../session/use-http';

/** Starts a session for the queue board and opens it. For operators. */
export function useOpenQueueBoard() {
  const http = useHttp();
  return useMutation({
    mutationFn: () => call(http, operationRoutes.openQueueBoard, {}),
    onSuccess: ({ url }) => window.location.assign(url),
  });
}
