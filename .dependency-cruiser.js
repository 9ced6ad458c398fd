/** Imports go one way. `npm run check` refuses those that do not. */

const browserSafe = '^(web/src|libs/contract|libs/tools/[^/]+/contract)';

/** Where a file that a browser runs may look in this project. */
const browserReach = '^(web/|libs/contract/|libs/tools/([^/]+/contract(/|\\.ts$)|[^/]+\\.ts$))';

export default {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'Modules that import each other can be understood, loaded and moved only together.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'browser-code-is-browser-safe',
      comment:
        'What the client bundles is a dev dependency, so the other packages are for servers; both use zod and the ' +
        'parser of Markdown.',
      severity: 'error',
      from: { path: browserSafe, pathNot: '\\.test\\.tsx?$' },
      to: {
        dependencyTypes: ['npm'],
        pathNot: '^node_modules/(zod|mdast-util-[^/]+|micromark-extension-gfm)/',
      },
    },
    {
      name: 'browser-code-without-node',
      comment: 'A browser has none of the built-in modules of Node.',
      severity: 'error',
      from: { path: browserSafe, pathNot: '\\.test\\.tsx?$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'browser-code-stays-in-the-contract',
      comment: 'The client knows the servers by their contract alone.',
      severity: 'error',
      from: { path: browserSafe, pathNot: '\\.test\\.tsx?$' },
      to: { path: '^(api|worker|libs|scripts|test)/', pathNot: browserReach },
    },
    {
      name: 'libs-know-no-program',
      comment: 'The libraries are shared by the programs, so they know none of them.',
      severity: 'error',
      from: { path: '^libs/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(api|worker|web|scripts)/' },
    },
    {
      name: 'api-and-worker-apart',
      comment: 'They are separate processes: what both need is a library.',
      severity: 'error',
      from: { path: '^(api|worker)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(api|worker|web|scripts)/', pathNot: '^$1/' },
    },
    {
      name: 'tools-apart',
      comment: 'A tool is one folder, and imports no other tool.',
      severity: 'error',
      from: { path: '^libs/tools/([^/]+)/' },
      to: { path: '^libs/tools/[^/]+/', pathNot: '^libs/tools/$1/' },
    },
    {
      name: 'tests-stay-out',
      comment: 'The product does not depend on its tests.',
      severity: 'error',
      from: { path: '^(api|worker|libs|web)/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^test/|\\.test\\.tsx?$' },
    },
    {
      name: 'not-resolved',
      comment: 'What cannot be found cannot be checked. (mdast and pdfmake/interfaces are types alone.)',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^(mdast|pdfmake/interfaces)$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
    },
  },
};
