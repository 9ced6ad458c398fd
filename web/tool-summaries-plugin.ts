import { runnerImport, type Plugin, type UserConfig } from 'vite';
import type * as Summaries from './src/shared/tools/tool-summaries';

/**
 * Evaluates tool-summaries.ts at build time and replaces the module by the result, so that pages don't load contracts and
 * zod.
 */
export function toolSummariesPlugin(resolve: UserConfig['resolve']): Plugin {
  return {
    name: 'tool-summaries',
    async load(id) {
      if (!id.endsWith('/shared/tools/tool-summaries.ts')) return null;
      const { module, dependencies } = await runnerImport<typeof Summaries>(id, {
        configFile: false,
        resolve,
      });
      for (const file of dependencies) this.addWatchFile(file);
      return `export const toolSummaries = ${JSON.stringify(module.toolSummaries)};`;
    },
  };
}
