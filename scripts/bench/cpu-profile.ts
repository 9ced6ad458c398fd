import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import type { Profiler } from 'node:inspector';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inRoot } from '../stack/root.ts';

const SAMPLE_MICROSECONDS = 500;

/** Shares of the time in which the program worked: 1 in all, without the time in which it waited. */
export interface CpuShares {
  parts: Map<string, number>;
  /** By function with its file and line. */
  functions: Map<string, number>;
}

/** Environment of a program that {@link recordCpuProfile} can profile. */
export const profiled = (inspectorPort: number) => ({ NODE_OPTIONS: `--inspect=127.0.0.1:${inspectorPort}` });

/** Runs `work` while V8's profiler samples the main thread of a program. */
export async function recordCpuProfile(inspectorPort: number, work: () => Promise<void>): Promise<CpuShares> {
  const targets = await fetch(`http://127.0.0.1:${inspectorPort}/json/list`);
  const [target] = (await targets.json()) as { webSocketDebuggerUrl: string }[];
  const socket = new WebSocket(target!.webSocketDebuggerUrl);
  await once(socket, 'open');
  const answers = new Map<number, (result: unknown) => void>();
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id: number; result: unknown };
    answers.get(id)?.(result);
  });
  let calls = 0;
  const call = (method: string, params: object = {}) => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    answers.set((calls += 1), resolve);
    socket.send(JSON.stringify({ id: calls, method, params }));
    return promise;
  };
  try {
    await call('Profiler.enable');
    await call('Profiler.setSamplingInterval', { interval: SAMPLE_MICROSECONDS });
    await call('Profiler.start');
    await work();
    const { profile } = (await call('Profiler.stop')) as { profile: Profiler.Profile };
    return sharesOf(profile);
  } finally {
    socket.close();
  }
}

/**
 * Parts of a program by the files of their functions. The first match counts. Functions of Node.js and of V8 belong to the
 * part that calls them.
 */
const PARTS: [part: string, files: RegExp][] = [
  ['rate limits', /^api\/http\/rate-limits|\/(rate-limiter-flexible|ipaddr\.js)\//],
  [
    'request log',
    /^api\/http\/request-log|^libs\/observability\/log|\/(pino|pino-http|nestjs-pino|sonic-boom)\//,
  ],
  ['tracing', /^api\/http\/trace-request|^libs\/observability\/(open-telemetry|trac)|\/@opentelemetry\//],
  ['metrics', /^libs\/observability\/|\/prom-client\//],
  ['security headers', /^api\/http\/security-headers|\/helmet\//],
  ['compression', /\/(compression|compressible|on-headers)\//],
  [
    'body',
    /^api\/http\/(json-body|body-rate|unread-body)|\/(body-parser|raw-body|iconv-lite|type-is|content-type)\//,
  ],
  ['authentication', /^(api\/auth|libs\/accounts|libs\/api-keys)\/|\/jose\//],
  ['Nest', /^api\/http\/(route|request-bulkhead)|\/(@nestjs\/[\w-]+|rxjs|reflect-metadata)\//],
  ['validation', /^libs\/(contract|tools)\/|\/zod\//],
  ['PostgreSQL driver', /^libs\/database\/|\/(typeorm|pg|pg-[\w-]+|postgres-[\w-]+)\//],
  [
    'BullMQ and Redis',
    /^libs\/(queue|redis)\/|\/(bullmq|ioredis|@ioredis\/\w+|redis-parser|denque|msgpackr)\//,
  ],
  ['events', /^(libs\/events|api\/live)\/|\/(@socket\.io\/[\w-]+|(socket|engine)\.io[\w-]*)\//],
  ['submission', /^(libs|api)\/|\/cockatiel\//],
  ['HTTP and Express', /^node:(_http|internal\/http)|\/node_modules\/|^node_modules\//],
];

const NOT_A_FILE: Record<string, string> = {
  '(garbage collector)': 'garbage collection',
  '(program)': 'native code without a caller',
};

type ProfileNode = Profiler.ProfileNode & { parent?: ProfileNode };

function sharesOf({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): CpuShares {
  const byId = new Map<number, ProfileNode>(nodes.map((node) => [node.id, node]));
  for (const node of byId.values()) for (const child of node.children ?? []) byId.get(child)!.parent = node;
  const fileOf = createFileLookup();
  const shares: CpuShares = { parts: new Map(), functions: new Map() };
  let total = 0;
  samples.forEach((id, index) => {
    const node = byId.get(id)!;
    if (node.callFrame.functionName === '(idle)') return;
    // The time from this sample to the next one.
    const time = Math.max(timeDeltas[index + 1] ?? 0, 0);
    total += time;
    add(shares.parts, partOf(node, fileOf), time);
    add(shares.functions, describe(node, fileOf), time);
  });
  for (const times of [shares.parts, shares.functions])
    for (const [name, time] of times) times.set(name, time / total);
  return shares;
}

const add = (times: Map<string, number>, name: string, time: number) =>
  void times.set(name, (times.get(name) ?? 0) + time);

function partOf(node: ProfileNode, fileOf: FileLookup): string {
  for (let caller: ProfileNode | undefined = node; caller; caller = caller.parent) {
    const { file } = fileOf(caller.callFrame);
    const part = PARTS.find(([, files]) => files.test(file));
    if (part) return part[0];
  }
  return NOT_A_FILE[node.callFrame.functionName] ?? 'Node.js: sockets, timers, promises';
}

function describe({ callFrame }: ProfileNode, fileOf: FileLookup): string {
  const { file, line } = fileOf(callFrame);
  const name = callFrame.functionName || '(anonymous)';
  return file === '' ? name : `${name} ${file}:${line}`;
}

type CallFrame = Profiler.ProfileNode['callFrame'];
type FileLookup = (frame: CallFrame) => { file: string; line: number };

/** Finds the source file of a function from the project's root, also of a function in a bundle. */
function createFileLookup(): FileLookup {
  const maps = new Map<string, SourceMap | null>();
  const mapOf = (url: string) => {
    let map = maps.get(url);
    if (map === undefined) maps.set(url, (map = readSourceMap(url)));
    return map;
  };
  return ({ url, lineNumber, columnNumber }) => {
    if (!url.startsWith('file:')) return { file: url, line: lineNumber + 1 };
    const entry = mapOf(url)?.findEntry(lineNumber, columnNumber);
    if (entry && 'originalSource' in entry)
      return { file: fromRoot(new URL(entry.originalSource, url).href), line: entry.originalLine + 1 };
    return { file: fromRoot(url), line: lineNumber + 1 };
  };
}

const fromRoot = (url: string) => relative(inRoot(), fileURLToPath(url));

/** The source map of our own bundles; a package has none, or one of sources that are not published. */
function readSourceMap(url: string): SourceMap | null {
  const path = `${fileURLToPath(url)}.map`;
  if (!fromRoot(url).startsWith('dist/') || !existsSync(path)) return null;
  return new SourceMap(JSON.parse(readFileSync(path, 'utf8')) as SourceMapPayload);
}
