import { runnerImport, type Plugin, type UserConfig } from 'vite';
import type * as Summaries from './src/shared/tools/tool-summaries';

/** Replaces tool-summaries.ts by its value, so that no page loads the contracts and zod for it. */
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
