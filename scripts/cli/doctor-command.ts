import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import type { Finding } from '#libs/ai/examine-service.js';
import { engineFor } from '#libs/config/engines.js';
import { readConfig, type Config, type OpenAiConfig } from '#libs/config/environment.js';
import { misspeltVariables } from '#libs/config/misspelt-variables.js';
import { AppError } from '#libs/contract/errors.js';
import type { ImageOperation } from '#libs/contract/engine.js';
import { toolNames, tools } from '#libs/tools/catalogue.js';
import type { Terminal } from './command-line.js';

const names = {
  text: 'text',
  stream: 'stream',
  json: 'JSON',
  generate: 'make pictures',
  edit: 'edit pictures',
  moderation: 'moderation',
} satisfies Record<Finding['ability'], string>;

export function doctorCommand(program: Command, terminal: Terminal): void {
  program
    .command('doctor')
    .description(
      'calls the AI service once for each ability, and says what the tools use; costs two pictures',
    )
    .action(() => examine(terminal));
}

/** @throws AppError if no service answers text */
async function examine(terminal: Terminal): Promise<void> {
  const print = (line = '') => terminal.write(`${line}\n`);
  for (const line of misspeltVariables(terminal.environment)) terminal.writeError(`${line}\n`);
  const config = readServiceConfig(terminal);
  const { ai } = config;
  if (!ai) {
    print('No AI service is connected: this server does all work itself. Set OPENAI_API_KEY to connect one.');
    return;
  }
  // Other commands start faster without it.
  const { examineModeration, examineService } = await import('#libs/ai/examine-service.js');
  const { signal } = new AbortController();
  let answersText = false;
  const lacking = new Set<ImageOperation>(['generate', 'edit']);
  for (const service of [ai.main, ...(ai.fallback ? [ai.fallback] : [])]) {
    print(describe(service));
    for (const finding of await examineService(service, signal)) {
      print(lineOf(finding));
      const { ability } = finding;
      if (ability === 'text') answersText ||= finding.works;
      if (finding.works && (ability === 'generate' || ability === 'edit')) lacking.delete(ability);
    }
  }
  const moderation = await examineModeration(ai, signal);
  if (moderation) print(lineOf(moderation));
  print(`  – ${'embeddings'.padEnd(15)}not asked: search by meaning uses the model of this server`);
  print();
  if (!answersText)
    throw new AppError(
      'PROVIDER_FAILED',
      'Tools that need a service fail until one answers text: check address, key and model.',
    );
  print('Tools');
  for (const tool of toolNames) {
    const where = engineFor(tool, {}, config, lacking) === 'openai' ? 'the service' : 'this server';
    print(`  ${tools[tool].title.padEnd(29)}${where}`);
  }
}

function lineOf({ ability, works, detail, leftOut }: Finding): string {
  const without = leftOut.length > 0 ? `; left out, since it is refused: ${leftOut.join(', ')}` : '';
  return `  ${works ? '✓' : '✗'} ${names[ability].padEnd(15)}${detail}${without}`;
}

const describe = ({ baseUrl, textModel, imageModel }: OpenAiConfig): string =>
  `${baseUrl ? new URL(baseUrl).host : 'OpenAI'}, models ${textModel} and ${imageModel}`;

/** The configuration of a worker, also where database and accounts are not configured. @throws ConfigurationError */
const readServiceConfig = ({ environment }: Terminal): Config =>
  readConfig({
    AUTH_SECRET: randomBytes(32).toString('hex'),
    DATABASE_URL: 'postgres://127.0.0.1/not-used',
    ...Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim())),
  });
