import { Controller, Get, Inject } from '@nestjs/common';
import { PDF_MAX_BYTES, IMAGE_MAX_BYTES, type PublicConfig } from '#libs/contract/config.js';
import { FREE_MONTHLY_CREDITS } from '#libs/contract/credits.js';
import type { Config } from '#libs/config/environment.js';
import { CONFIG } from '#libs/platform/platform.module.js';
import { toolNames, tools } from '#libs/tools/catalogue.js';
import { Public } from '../http/public.js';

/** What the web client needs before anybody signs in. */
@Controller('api/config')
export class ConfigController {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  @Public()
  @Get()
  read(): { success: true } & PublicConfig {
    const { accounts, planSwitch, ai, jobs, demoVideoUrl } = this.config;
    return {
      success: true,
      accounts: {
        provider: accounts.kind,
        publishableKey: accounts.kind === 'clerk' ? accounts.publishableKey : null,
        proxyUrl: accounts.kind === 'clerk' ? accounts.proxyUrl : null,
        mail: accounts.kind === 'local' && accounts.mail !== null,
        planSwitch,
      },
      engine: ai ? 'openai' : 'offline',
      plans: { free: { monthlyCredits: FREE_MONTHLY_CREDITS } },
      limits: {
        pdfBytes: PDF_MAX_BYTES,
        imageBytes: IMAGE_MAX_BYTES,
        unfinishedJobs: jobs.unfinishedPerUser,
      },
      tools: toolNames.map((name) => ({
        name,
        title: tools[name].title,
        plan: tools[name].plan,
        credits: tools[name].credits,
      })),
      demoVideoUrl,
    };
  }
}
