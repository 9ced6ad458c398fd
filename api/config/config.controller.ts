import { Controller, Inject } from '@nestjs/common';
import { type Config, CONFIG } from '#libs/config/environment.js';
import type { Answer } from '#libs/contract/routes/table.js';
import { Route } from '../http/route.js';
import { publicConfig } from './public-config.js';

@Controller()
export class ConfigController {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  @Route('getConfig')
  read(): Answer<'getConfig'> {
    return { success: true, ...publicConfig(this.config) };
  }
}
