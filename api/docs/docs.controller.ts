import { join } from 'node:path';
import { Controller, Get, Header, Inject, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import getAbsoluteFSPath from 'swagger-ui-dist/absolute-path.js';
import { CONFIG, type Config } from '#libs/config/environment.js';
import { AppError } from '#libs/contract/errors.js';
import { Public } from '../http/route.js';
import type { createOpenApi } from './openapi.js';

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Pressroom API</title>
    <link rel="stylesheet" href="/api/docs/swagger-ui.css" />
    <script src="/api/docs/swagger-ui-bundle.js" defer></script>
    <script src="/api/docs/start.js" defer></script>
  </head>
  <body><main id="docs"></main></body>
</html>
`;

const start = `SwaggerUIBundle({ url: '/api/openapi.json', dom_id: '#docs', deepLinking: true });\n`;

const files = new Set(['swagger-ui.css', 'swagger-ui-bundle.js']);

/** The API's documentation: OpenAPI file and HTML page. All files come from this server, none from a CDN. */
@Public()
@Controller('api')
export class DocsController {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  private document: ReturnType<typeof createOpenApi> | undefined;

  @Get('openapi.json')
  async openApi(): Promise<object> {
    const { publicUrl, prices } = this.config;
    return (this.document ??= (await import('./openapi.js')).createOpenApi(publicUrl, 'everyone', prices));
  }

  @Get('docs')
  @Header('Content-Type', 'text/html; charset=utf-8')
  docs(): string {
    return page;
  }

  @Get('docs/start.js')
  @Header('Content-Type', 'text/javascript; charset=utf-8')
  start(): string {
    return start;
  }

  @Get('docs/:file')
  file(@Param('file') file: string, @Res() response: Response): void {
    if (!files.has(file)) throw new AppError('NOT_FOUND', 'There is no such page.');
    response.sendFile(join(getAbsoluteFSPath(), file), { cacheControl: true, maxAge: '1d' });
  }
}
