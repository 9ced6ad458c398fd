import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { BODY_MAX_BYTES } from '#libs/contract/routes/define-route.js';
import { RequestBodies } from './json-body.js';
import { BODY, type BodyContract } from './route.js';

/**
 * Reads the body of a request. Must run after the guard that checks the token and counts the request, so that a stranger's body
 * is not read.
 */
@Injectable()
export class BodyGuard implements CanActivate {
  constructor(
    private readonly bodies: RequestBodies,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (context.getType() !== 'http') return true;
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    const route = this.reflector.get<BodyContract | undefined>(BODY, context.getHandler());
    // Handlers of uploads read the body after checking the plan.
    if (!request.path.startsWith('/api/') || route?.form) return true;
    const limit = route?.bodyMaxBytes ?? BODY_MAX_BYTES;
    request.body = route?.rawBody
      ? await this.bodies.readRaw(request, response, limit)
      : await this.bodies.readObject(request, response, limit);
    return true;
  }
}
