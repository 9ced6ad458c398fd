import { isIP } from 'node:net';
import { Controller, Inject } from '@nestjs/common';
import { IMAGE_MAX_BYTES, PDF_MAX_BYTES, FREE_MONTHLY_CREDITS } from '#libs/contract/limits.js';
import type { PublicConfig } from '#libs/contract/config.js';
import type { ModelId } from '#libs/contract/model-names.js';
import { toolNames, tools } from '#libs/tools/catalogue.js';
import { CONFIG, type Config } from '#libs/config/environment.js';
import { Route } from '../http/route.js';

@Controller()
export class ConfigController {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  @Route('getConfig')
  read() {
    return publicConfig(this.config);
  }
}

/** Browsers support passkeys only for host names, not for IP addresses, and only over HTTPS or on localhost. */
const isPasskeyHost = ({ protocol, hostname }: URL) =>
  isIP(hostname.replace(/^\[|\]$/g, '')) === 0 && (protocol === 'https:' || hostname === 'localhost');

const objectModels: readonly ModelId[] = ['coco-ssd', 'u2netp', 'migan'];

function publicConfig({
  accounts,
  publicUrl,
  planSwitch,
  ai,
  engines,
  jobs,
  models,
  demoVideoUrl,
}: Config): PublicConfig {
  return {
    accounts: {
      provider: accounts.kind,
      publishableKey: accounts.kind === 'clerk' ? accounts.publishableKey : null,
      proxyUrl: accounts.kind === 'clerk' ? accounts.proxyUrl : null,
      mail: accounts.kind === 'local' && accounts.mail !== null,
      passkeys: accounts.kind === 'local' && isPasskeyHost(new URL(publicUrl)),
      twoFactorFor: accounts.kind === 'local' ? accounts.twoFactorFor : 'nobody',
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
      engine: engines[name],
    })),
    objectsByName:
      engines['remove-image-object'] === 'openai' || !models.off.some((id) => objectModels.includes(id)),
    demoVideoUrl,
  };
}
