import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { isFlowName } from '#libs/contract/flows.js';
import { isToolName } from '#libs/tools/catalogue.js';
import { RequestBodies } from './json-body.js';

const KB = 2 ** 10;
const BODY_MAX_BYTES = 100 * KB;
/** Maximum bytes of a body by the path below `/api`. */
const LIMITS: [path: RegExp, bytes: number][] = [
  // Enough for 200 pictures with the longest names and ids.
  [/^\/batches(\/|$)/, 512 * KB],
  // Enough for the longest text with each character escaped.
  [/^\/user\/creations\/[^/]+\/content\/?$/, 2 * KB * KB],
];
const WEBHOOK_MAX_BYTES = 256 * KB;

const SIGNED_WEBHOOKS = /^\/webhooks\/(clerk|stripe)\/?$/;
const UPLOADS =
  /^\/(user\/picture|user\/creations\/[^/]+\/versions|ai\/(remove-image-object\/mask|tailored-bullets\/resume)|batches\/[^/]+\/items\/[^/]+)\/?$/;

/**
 * Reads the body of a request. Must run after the guard that checks the token and counts the request, so that a stranger's body
 * is not read.
 */
@Injectable()
export class BodyGuard implements CanActivate {
  constructor(private readonly bodies: RequestBodies) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (context.getType() !== 'http') return true;
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    const path = /^\/api(\/.*)$/.exec(request.path)?.[1];
    // Handlers of uploads read the body after checking the plan.
    if (path === undefined || isUpload(path)) return true;
    const limit = LIMITS.find(([pattern]) => pattern.test(path))?.[1] ?? BODY_MAX_BYTES;
    request.body = SIGNED_WEBHOOKS.test(path)
      ? // The raw bytes, since the webhook's signature is computed from them.
        await this.bodies.readRaw(request, response, WEBHOOK_MAX_BYTES)
      : await this.bodies.readObject(request, response, limit);
    return true;
  }
}

function isUpload(path: string): boolean {
  if (UPLOADS.test(path)) return true;
  const [, kind, name = ''] = /^\/(ai|flows)\/([^/]+)\/?$/.exec(path) ?? [];
  return (kind === 'ai' && isToolName(name)) || (kind === 'flows' && isFlowName(name));
}
