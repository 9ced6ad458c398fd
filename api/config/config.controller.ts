import { isIP } from 'node:net';
import { Controller, Inject } from '@nestjs/common';
import { IMAGE_MAX_BYTES, PDF_MAX_BYTES } from '#libs/contract/limits.js';
import type { PublicConfig } from '#libs/contract/config.js';
import type { ModelId } from '#libs/contract/model-names.js';
import { toolNames, tools, type ToolName } from '#libs/tools/catalogue.js';
import { ImageSupport } from '#libs/ai/image-support.js';
import { engineFor } from '#libs/config/engines.js';
import { CONFIG, type Config } from '#libs/config/environment.js';
import type { ImageOperation } from '#libs/contract/engine.js';
import { Route } from '../http/route.js';

@Controller()
export class ConfigController {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(ImageSupport) private readonly imageSupport: ImageSupport,
  ) {}

  @Route('getConfig')
  async read() {
    return publicConfig(this.config, await this.imageSupport.read());
  }
}

/** Browsers support passkeys only for host names, not for IP addresses, and only over HTTPS or on localhost. */
const isPasskeyHost = ({ protocol, hostname }: URL) =>
  isIP(hostname.replace(/^\[|\]$/g, '')) === 0 && (protocol === 'https:' || hostname === 'localhost');

const objectModels: readonly ModelId[] = ['coco-ssd', 'u2netp', 'migan'];

function publicConfig(config: Config, lacking: ReadonlySet<ImageOperation>): PublicConfig {
  const {
    accounts,
    mail,
    publicUrl,
    planSwitch,
    stripe,
    premiumPrice,
    ai,
    jobs,
    models,
    prices,
    publishing,
    demoVideoUrl,
  } = config;
  const engineOf = (tool: ToolName, input: object = {}) => engineFor(tool, input, config, lacking);
  return {
    accounts: {
      provider: accounts.kind,
      publishableKey: accounts.kind === 'clerk' ? accounts.publishableKey : null,
      proxyUrl: accounts.kind === 'clerk' ? accounts.proxyUrl : null,
      mail: accounts.kind === 'local' && mail !== null,
      passkeys: accounts.kind === 'local' && isPasskeyHost(new URL(publicUrl)),
      twoFactorFor: accounts.kind === 'local' ? accounts.twoFactorFor : 'nobody',
      apps: accounts.kind === 'clerk' ? accounts.oauthClients : [],
      planSwitch,
      payment: stripe && { trialDays: stripe.trialDays },
    },
    engine: ai ? 'openai' : 'offline',
    plans: { free: { monthlyCredits: prices.grants.free }, premium: { price: premiumPrice } },
    limits: {
      pdfBytes: PDF_MAX_BYTES,
      imageBytes: IMAGE_MAX_BYTES,
      unfinishedJobs: jobs.unfinishedPerUser,
    },
    tools: toolNames.map((name) => ({
      name,
      title: tools[name].title,
      plan: tools[name].plan,
      credits: prices.tools[name],
      engine: engineOf(name),
    })),
    objectsByName:
      engineOf('remove-image-object') === 'openai' || !models.off.some((id) => objectModels.includes(id)),
    changesImages: engineOf('generate-image', { creation: '' }) === 'openai',
    publishing,
    demoVideoUrl,
  };
}
