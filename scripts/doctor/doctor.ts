/** `npm run doctor`: calls the configured AI service once for each ability, and says what the tools use. */
import type { OpenAiConfig } from '#libs/config/environment.js';
import type { Finding } from '#libs/ai/examine-service.js';
import type { ImageOperation } from '#libs/contract/engine.js';
import { build } from '../stack/build.ts';
import { runCommand } from '../stack/command.ts';
import { dataFolderPath, readEnvFile } from '../stack/environment.ts';
import { print, styled, WrongConfiguration } from '../stack/terminal.ts';

const names = {
  text: 'text',
  stream: 'stream',
  json: 'JSON',
  generate: 'make pictures',
  edit: 'edit pictures',
} satisfies Record<Finding['ability'], string>;

await runCommand(async ({ signal }) => {
  readEnvFile();
  await build('servers', signal);
  const config = await readConfiguration();
  const { engineFor } = await import('#libs/config/engines.js');
  const { examineService } = await import('#libs/ai/examine-service.js');
  const { tools, toolNames } = await import('#libs/tools/catalogue.js');
  if (!config.ai) {
    print('No AI service is connected: this server does all work itself. Set OPENAI_API_KEY to connect one.');
    return 0;
  }
  let answersText = false;
  const lacking = new Set<ImageOperation>(['generate', 'edit']);
  for (const service of [config.ai.main, ...(config.ai.fallback ? [config.ai.fallback] : [])]) {
    print();
    print(styled('bold', describe(service)));
    for (const finding of await examineService(service, signal)) {
      printFinding(finding);
      const { ability } = finding;
      if (ability === 'text') answersText ||= finding.works;
      if (finding.works && (ability === 'generate' || ability === 'edit')) lacking.delete(ability);
    }
  }
  print(
    `  ${styled('dim', '–')} ${'embeddings'.padEnd(15)}not asked: search by meaning uses the model of this server`,
  );
  print();
  if (!answersText) {
    print('Tools that need a service fail until one answers text: check address, key and model.');
    return 1;
  }
  print(styled('bold', 'Tools'));
  for (const tool of toolNames) {
    const engine = engineFor(tool, {}, config, lacking);
    const where = engine === 'openai' ? 'the service' : 'this server';
    print(`  ${tools[tool].title.padEnd(29)}${where}`);
  }
  return 0;
});

function printFinding({ ability, works, detail, leftOut }: Finding): void {
  const mark = works ? styled('green', '✓') : styled('yellow', '✗');
  const without = leftOut.length > 0 ? `; left out, since it is refused: ${leftOut.join(', ')}` : '';
  print(`  ${mark} ${names[ability].padEnd(15)}${detail}${without}`);
}

function describe({ baseUrl, textModel, imageModel }: OpenAiConfig): string {
  return `${baseUrl ? new URL(baseUrl).host : 'OpenAI'}, models ${textModel} and ${imageModel}`;
}

async function readConfiguration() {
  const { ConfigurationError, readConfig } = await import('#libs/config/environment.js');
  try {
    return readConfig({
      AUTH_SECRET: 'not used by this command, 0123456789',
      DATABASE_URL: 'postgres://127.0.0.1/not-used',
      ...Object.fromEntries(Object.entries(process.env).filter(([, value]) => value?.trim())),
      DATA_DIR: dataFolderPath(),
    });
  } catch (error) {
    throw error instanceof ConfigurationError ? new WrongConfiguration(error.message) : error;
  }
}
