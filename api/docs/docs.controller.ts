import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Controller, Get, Header, Inject, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import getAbsoluteFSPath from 'swagger-ui-dist/absolute-path.js';
import { CONFIG, type Config } from '#libs/config/environment.js';
import { AppError } from '#libs/contract/errors.js';
import { Public } from '../http/route.js';
import { sendCompressed } from '../http/send-compressed.js';

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

const fileNames = new Set(['swagger-ui.css', 'swagger-ui-bundle.js']);

/** The API's documentation: OpenAPI file and HTML page. All files come from this server, none from a CDN. */
@Public()
@Controller('api')
export class DocsController {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  private document: Promise<string> | undefined;
  private readonly files = new Map<string, Promise<string>>();

  @Get('openapi.json')
  async openApi(@Req() request: Request, @Res() response: Response): Promise<void> {
    this.document ??= this.createDocument();
    this.document.catch(() => (this.document = undefined));
    await sendCompressed(request, response.type('json'), await this.document);
  }

  private async createDocument(): Promise<string> {
    const { createOpenApi } = await import('./openapi.js');
    const { publicUrl, prices } = this.config;
    return JSON.stringify(createOpenApi(publicUrl, 'everyone', prices));
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
  async file(@Param('file') name: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    if (!fileNames.has(name)) throw new AppError('NOT_FOUND', 'There is no such page.');
    const text = this.files.get(name) ?? readFile(join(getAbsoluteFSPath(), name), 'utf8');
    this.files.set(name, text);
    text.catch(() => this.files.delete(name));
    response.type(name).setHeader('Cache-Control', 'public, max-age=86400');
    await sendCompressed(request, response, await text);
  }
}
