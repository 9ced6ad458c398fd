import type { Queue } from 'bullmq';
import { Router, type Application, type Request, type RequestHandler, type Response } from 'express';
import helmet from 'helmet';
import { addToLogContext } from '#libs/observability/log-context.js';
import type { AdminSessions } from './admin-sessions.js';

export const BOARD_PATH = '/admin/queues';

/** The prefix `__Host-` restricts the cookie to this host, but browsers accept such a cookie only over HTTPS. */
export const boardCookie = (publicUrl: string) =>
  publicUrl.startsWith('https:') ? '__Host-pressroom_board' : 'pressroom_board';

/**
 * The queue board, for operators only. Read-only, since the reconciler would revert changes to a queue. To retry or
 * cancel jobs, use the operator commands.
 */
export function queueBoard(queues: Queue[], sessions: AdminSessions, cookie: string): RequestHandler {
  let board: Promise<RequestHandler> | undefined;
  return Router()
    .use(policy)
    .use(onlyReading)
    .use(async (request, response, next) => {
      response.setHeader('Cache-Control', 'no-store');
      const operator = await sessions.find(cookieOf(request, cookie));
      if (operator === undefined) return refuse(response);
      addToLogContext({ userId: operator });
      withoutForeignFonts(response);
      (await (board ??= createBoard(queues)))(request, response, next);
    });
}

async function createBoard(queues: Queue[]): Promise<RequestHandler> {
  const [{ createBullBoard }, { BullMQAdapter }, { ExpressAdapter }] = await Promise.all([
    import('@bull-board/api'),
    import('@bull-board/api/bullMQAdapter'),
    import('@bull-board/express'),
  ]);
  const serverAdapter = new ExpressAdapter().setBasePath(BOARD_PATH);
  createBullBoard({
    queues: queues.map((queue) => new BullMQAdapter(queue, { readOnlyMode: true, allowRetries: false })),
    serverAdapter,
    options: { uiConfig: { boardTitle: 'Pressroom queues' } },
  });
  const board = serverAdapter.getRouter() as Application;
  return board.disable('x-powered-by');
}

/** The board needs its own policy, since it inserts inline styles. */
const policy = helmet.contentSecurityPolicy({
  useDefaults: false,
  directives: {
    defaultSrc: ["'self'"],
    scriptSrc: ["'self'"],
    scriptSrcAttr: ["'none'"],
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", 'data:'],
    fontSrc: ["'self'", 'data:'],
    connectSrc: ["'self'"],
    objectSrc: ["'none'"],
    frameAncestors: ["'none'"],
    baseUri: ["'self'"],
    formAction: ["'none'"],
  },
});

const onlyReading: RequestHandler = ({ method }, response, next) => {
  if (method === 'GET' || method === 'HEAD') return next();
  response.status(405).setHeader('Allow', 'GET, HEAD').end();
};

/** Removes the board's link to fonts on a third-party server. */
function withoutForeignFonts(response: Response): void {
  const send = response.send.bind(response);
  response.send = (body: unknown) =>
    send(typeof body === 'string' ? body.replace(/<link href="https:\/\/fonts\.[^>]*>/, '') : body);
}

function cookieOf(request: Request, name: string): string {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
}

/** Gives everybody else the same response, so that it does not reveal whether the caller has an account. */
function refuse(response: Response): void {
  response
    .status(403)
    .type('html')
    .send(
      '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
        '<meta name="color-scheme" content="light dark"><link rel="icon" href="data:,"><title>Queues · Pressroom</title>' +
        '<body style="font:1rem/1.6 system-ui;max-width:34rem;margin:15vh auto;padding:0 1.5rem">' +
        '<h1>For operators</h1><p>Sign in to Pressroom as an operator and open <em>Queues</em> from the menu. ' +
        'Access lasts for half an hour.</p><p><a href="/ai">Open Pressroom</a></p></body></html>',
    );
}
