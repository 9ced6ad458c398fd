/** The import rules of `import-rules.ts`, and no cycle between folders; `import type` counts in both. */
import { dirname } from 'node:path';
import { cruise, type ICruiseResult, type IModule } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import { folderCycles } from './folder-cycles.ts';
import { CONTRACT, forbidden, options } from './import-rules.ts';

const sources = ['api', 'worker', 'libs', 'web/src', 'scripts', 'test'];
const isTest = (path: string) => /^test\/|\.test\.tsx?$/.test(path);

const { output } = await cruise(
  sources,
  { ...options, ruleSet: { forbidden }, validate: true },
  {},
  { tsConfig: extractTSConfig('tsconfig.json') },
);
const { modules, summary } = output as ICruiseResult;
const violations = summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);
const cycles = folderCycles(imports(modules)).map((cycle) => `folder cycle: ${cycle.join(' → ')}`);
for (const line of [...violations, ...cycles]) console.error(line);
process.exitCode = violations.length + cycles.length === 0 ? 0 : 1;

/** Each import of product code as its folders. The contract of a tool lies in the tool's folder and counts as contract. */
function imports(all: IModule[]): [from: string, to: string][] {
  const folderOf = (path: string) => (new RegExp(CONTRACT).test(path) ? 'libs/contract' : dirname(path));
  return all
    .filter(({ source }) => !isTest(source))
    .flatMap(({ source, dependencies }) =>
      dependencies
        .filter(
          ({ resolved, coreModule }) => !coreModule && /^(api|worker|libs|web|scripts)\//.test(resolved),
        )
        .map(({ resolved }): [string, string] => [folderOf(source), folderOf(resolved)]),
    );
}
