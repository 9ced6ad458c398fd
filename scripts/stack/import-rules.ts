/** The import rules that `npm run check` enforces. */
import type { ICruiseOptions, IForbiddenRuleType } from 'dependency-cruiser';

const browserSafe = '^(web/src|libs/contract|libs/tools/[^/]+/contract)';

/** The files of this project that browser code may import. */
const browserReach = '^(web/|libs/contract/|libs/tools/([^/]+/contract(/|\\.ts$)|[^/]+\\.ts$))';

/** The contract layer: pure, runs in a browser. A tool's contract lies in the tool's folder. */
export const CONTRACT = '^libs/(contract/|tools/(catalogue|flows|[^/]+/contract)\\.ts$)';

/** The layers of the servers, the lowest first: a folder imports from those before its own, for types too. */
const layers = [
  CONTRACT,
  '^libs/(config|resilience)/',
  '^libs/observability/',
  '^libs/(database|redis)/',
  '^libs/pictures/',
  '^libs/(ai|events|local-engine|mail|models|outbound|queue|storage)/',
  '^libs/(accounts|documents|health|previews)/',
  '^libs/notebooks/',
  '^libs/(scheduling|billing|costs)/',
  '^libs/(api-keys|publishing)/',
  '^libs/jobs/',
  '^libs/(batches|flows)/',
  '^libs/(webhooks|alerts|audit)/',
  '^libs/creations/',
  '^libs/operators/',
  '^libs/tools/(shared/|[^/]+/(?!contract\\.ts$))',
  '^(api|worker)/|^libs/tools/handlers\\.ts$',
];

/** The layers of the client, the lowest first: a folder imports from those before its own, for types too. */
const webLayers = [
  '^web/src/shared/',
  '^web/src/modules/runs/',
  '^web/src/modules/creations/',
  '^web/src/modules/text-editor/',
  '^web/src/modules/submission/',
  '^web/src/modules/conversation/',
  '^web/src/modules/image-editor/',
  '^web/src/features/',
  '^web/src/app/',
];

export const forbidden: IForbiddenRuleType[] = [
  {
    name: 'no-circular',
    comment: 'Modules that import each other can be understood, loaded and moved only together.',
    from: {},
    to: { circular: true },
  },
  ...layers.slice(0, -1).map((layer, index) => ({
    name: 'layers',
    comment:
      'Imports go one way, down the layers of docs/architecture.md. A type that two need is in the lower.',
    from: { path: layer, pathNot: '\\.test\\.tsx?$' },
    to: { path: layers.slice(index + 1).join('|') },
  })),
  {
    name: 'no-layer',
    comment: 'A new library is given its place in the list of layers.',
    from: { path: '^libs/', pathNot: [...layers, '\\.test\\.ts$'] },
    to: {},
  },
  {
    name: 'browser-code-is-browser-safe',
    comment:
      'What the client bundles is a dev dependency, so the other packages are for servers; both use zod, pdf.js, the ' +
      'parser of Markdown, and the detector of languages.',
    from: { path: browserSafe, pathNot: '\\.test\\.tsx?$' },
    to: {
      dependencyTypes: ['npm'],
      pathNot:
        '^node_modules/(zod|eld|pdfjs-dist|mdast-util-[^/]+|micromark-(extension-(gfm|cjk-friendly)|util-character))/',
    },
  },
  {
    name: 'browser-code-without-node',
    comment: 'A browser has none of the built-in modules of Node.',
    from: { path: browserSafe, pathNot: '\\.test\\.tsx?$' },
    to: { dependencyTypes: ['core'] },
  },
  {
    name: 'browser-code-stays-in-the-contract',
    comment: 'The client knows the servers by their contract alone.',
    from: { path: browserSafe, pathNot: '\\.test\\.tsx?$' },
    to: { path: '^(api|worker|libs|scripts|test)/', pathNot: browserReach },
  },
  {
    name: 'libs-know-no-program',
    comment: 'The libraries are shared by the programs, so they know none of them.',
    from: { path: '^libs/', pathNot: '\\.test\\.ts$' },
    to: { path: '^(api|worker|web|scripts)/' },
  },
  {
    name: 'api-and-worker-apart',
    comment: 'They are separate processes: shared code is a library.',
    from: { path: '^(api|worker)/', pathNot: '\\.test\\.ts$' },
    to: { path: '^(api|worker|web|scripts)/', pathNot: '^$1/' },
  },
  ...webLayers.slice(0, -1).map((layer, index) => ({
    name: 'web-layers',
    comment:
      'app imports features, features import modules, modules import those before their own and shared.',
    from: { path: layer, pathNot: '\\.test\\.tsx?$' },
    to: { path: webLayers.slice(index + 1).join('|') },
  })),
  {
    name: 'no-web-layer',
    comment: 'A new folder of the client is given its place in the list of layers.',
    from: { path: '^web/src/[^/]+/', pathNot: [...webLayers, '\\.test\\.tsx?$'] },
    to: {},
  },
  {
    name: 'features-apart',
    comment:
      'A feature is one folder, and imports no other feature: shared code is in a module or in shared.',
    from: { path: '^web/src/features/(tools/[^/]+|[^/]+)/', pathNot: '\\.test\\.tsx?$' },
    to: { path: '^web/src/features/', pathNot: '^web/src/features/$1/' },
  },
  {
    name: 'tools-apart',
    comment: 'A tool is one folder, and imports no other tool.',
    from: { path: '^libs/tools/([^/]+)/' },
    to: { path: '^libs/tools/[^/]+/', pathNot: '^libs/tools/($1|shared)/' },
  },
  {
    name: 'local-engine-knows-no-tool',
    comment: 'Algorithms and their tests import at most the contract of a tool, and no program.',
    from: { path: '^libs/local-engine/' },
    to: { path: '^(api|worker)/|^libs/tools/', pathNot: '^libs/tools/[^/]+/contract\\.ts$' },
  },
  {
    name: 'programs-use-no-algorithm',
    comment: 'The api computes nothing; libs/pictures reads the headers of images.',
    from: { path: '^api/' },
    to: { path: '^libs/local-engine/' },
  },
  {
    name: 'tests-stay-out',
    comment: 'The product does not depend on its tests.',
    from: { path: '^(api|worker|libs|web)/', pathNot: '\\.test\\.tsx?$' },
    to: { path: '^test/|\\.test\\.tsx?$' },
  },
  {
    name: 'not-resolved',
    comment: 'An unresolved import cannot be checked. (mdast and pdfmake/interfaces are types alone.)',
    from: {},
    to: { couldNotResolve: true, pathNot: '^(mdast|pdfmake/interfaces)$' },
  },
];

export const options: ICruiseOptions = {
  doNotFollow: { path: 'node_modules' },
  tsPreCompilationDeps: true,
  tsConfig: { fileName: 'tsconfig.json' },
  enhancedResolveOptions: {
    exportsFields: ['exports'],
    conditionNames: ['source', 'import', 'require', 'node', 'default', 'types'],
    extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
  },
};
