import { runnerImport, type Plugin, type Rolldown, type UserConfig } from 'vite';
import type { Route } from '../libs/contract/routes/define-route';

const ROUTES = /\/libs\/contract\/routes\/(?!define-route|table)[^/]+\.ts$/;
const CONTRACT = /\/libs\/(contract\/.+|tools\/([^/]+\/contract|catalogue))\.ts$/;

/**
 * Removes parts of the contract that the client doesn't use, so that most pages don't load zod: the schemas of routes, which
 * only the server checks, and all unreferenced definitions.
 */
export function contractPlugin(resolve: UserConfig['resolve']): Plugin {
  return {
    name: 'contract',
    enforce: 'post',
    async load(id) {
      if (!ROUTES.test(id)) return null;
      const { module, dependencies } = await runnerImport<Record<string, Record<string, Route>>>(id, {
        configFile: false,
        resolve,
      });
      for (const file of dependencies) this.addWatchFile(file);
      return Object.entries(module)
        .filter(([name]) => name.endsWith('Routes'))
        .map(([name, routes]) => `export const ${name} = ${JSON.stringify(addressesOf(routes))};`)
        .join('\n');
    },
    transform(code, id) {
      return CONTRACT.test(id) ? { code: markPure(code, this.parse(code)), map: null } : null;
    },
  };
}

const addressesOf = (routes: Record<string, Route>) =>
  Object.fromEntries(Object.entries(routes).map(([name, { method, path }]) => [name, { method, path }]));

/**
 * Marks initial values of constants as pure, so that the bundler removes unused constants. The contract has no side effects.
 */
function markPure(code: string, program: ReturnType<Rolldown.PluginContext['parse']>): string {
  const initialValues = program.body
    .map((statement) => (statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement))
    .flatMap((statement) => (statement?.type === 'VariableDeclaration' ? statement.declarations : []))
    .flatMap(({ init }) => (init && !/^(Literal|\w*Function\w*)$/.test(init.type) ? [init] : []));
  return initialValues.reduceRight(
    (text, { start, end }) =>
      `${text.slice(0, start)}/* @__PURE__ */ (() => (${text.slice(start, end)}))()${text.slice(end)}`,
    code,
  );
}
