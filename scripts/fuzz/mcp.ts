import fc, { type Arbitrary } from 'fast-check';
import type { Draft, FuzzRequest } from './draft.ts';
import { drafts, maybeBroken, type World } from './requests.ts';
import type { FuzzUser } from './users.ts';
import { hostileName, hostileValue } from './values.ts';

const CLIENT = { name: 'fuzz', version: '1' };
/** What each request of the revision 2026-07-28 has instead of an initialization. */
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': CLIENT,
  'io.modelcontextprotocol/clientCapabilities': {},
};

interface Call {
  method: string;
  params: Record<string, unknown>;
}

/** Requests to `/mcp`: calls of every tool and of the protocol, by clients of both revisions, whole or broken. */
export function mcpRequests(world: World): Arbitrary<FuzzRequest> {
  const { free, premium, program } = world.users;
  return fc
    .constantFrom(premium, program, program, free)
    .chain((user) => {
      const one = messages(world, user);
      // `initialize` and messages in a list are of the revisions of 2025.
      const body = fc.oneof(
        { weight: 6, arbitrary: one },
        { weight: 1, arbitrary: fc.array(one, { maxLength: 4 }) },
      );
      return body.map((json): Draft => {
        const headers: Draft['headers'] = [['Accept', 'application/json, text/event-stream']];
        const { method, params } = json as Partial<Call>;
        if (params && '_meta' in params)
          headers.push(
            ['MCP-Protocol-Version', '2026-07-28'],
            ['Mcp-Method', method!],
            ...(typeof params['name'] === 'string' ? [['Mcp-Name', params['name']] as [string, string]] : []),
          );
        return { user, method: 'POST', path: '/mcp', query: [], headers, json };
      });
    })
    .chain((draft) => maybeBroken(draft, '/mcp'));
}

const messages = (world: World, user: FuzzUser): Arbitrary<object> =>
  fc
    .record({
      call: fc.oneof(
        { weight: 3, arbitrary: toolCalls(world, user) },
        { weight: 2, arbitrary: otherCalls(user) },
      ),
      id: fc.constantFrom<unknown>(1, 1, 1, 'one', undefined, null, 1.5),
      isCurrent: fc.boolean(),
      hasProgress: fc.boolean(),
    })
    .map(({ call: { method, params }, id, isCurrent, hasProgress }) => {
      const meta = { ...(isCurrent && META), ...(hasProgress && { progressToken: 1 }) };
      const hasMeta = Object.keys(meta).length > 0;
      return { jsonrpc: '2.0', id, method, params: { ...params, ...(hasMeta && { _meta: meta }) } };
    });

/** Calls of tools, with the fields and files of their operations as arguments. */
function toolCalls(world: World, user: FuzzUser): Arbitrary<Call> {
  const operations = world.document.operations.filter(
    ({ method, path }) => method === 'POST' && /^\/api\/ai\/[\w-]+$/.test(path),
  );
  return fc
    .constantFrom(...operations)
    .chain((operation) =>
      fc.record({
        name: fc.constant(operation.id),
        args: fc.oneof(
          { weight: 4, arbitrary: drafts(operation, world, { user, isMinimal: true }).map(argumentsOf) },
          { weight: 2, arbitrary: drafts(operation, world, { user, isMinimal: false }).map(argumentsOf) },
        ),
        wrong: fc.option(fc.record({ at: fc.nat(5), name: hostileName, value: hostileValue }), { freq: 2 }),
      }),
    )
    .map(({ name, args, wrong }) => {
      const fields = Object.entries(args);
      const changed = wrong && (fields[wrong.at]?.[0] ?? wrong.name);
      return {
        method: 'tools/call',
        params: { name, arguments: changed ? { ...args, [changed]: wrong.value } : args },
      };
    });
}

/** The fields of a draft; its files as base64. */
function argumentsOf({ json, form = [] }: Draft): Record<string, unknown> {
  const parts = form.map(({ name, value, fileName }): [string, unknown] => [
    name,
    fileName === undefined ? value.toString() : { data: value.toString('base64'), name: fileName },
  ]);
  return { ...(json as Record<string, unknown>), ...Object.fromEntries(parts) };
}

function otherCalls(user: FuzzUser): Arbitrary<Call> {
  const job = fc.constantFrom(...user.jobs).map((jobId) => ({ jobId }));
  const any = fc.oneof({ weight: 3, arbitrary: job }, { weight: 1, arbitrary: hostileValue });
  const named = fc.record({
    name: fc.constantFrom('get_job', 'cancel_job', 'nothing', '__proto__'),
    arguments: any,
  });
  const initialize = fc
    .constantFrom('2025-03-26', '2025-06-18', '2025-11-25', '1', '')
    .map((protocolVersion) => ({
      protocolVersion,
      capabilities: {},
      clientInfo: CLIENT,
    }));
  return fc.oneof(
    named.map((params) => ({ method: 'tools/call', params })),
    initialize.map((params) => ({ method: 'initialize', params })),
    fc
      .constantFrom(
        ...[
          'ping',
          'tools/list',
          'server/discover',
          'resources/list',
          'resources/read',
          'prompts/get',
          'nothing',
        ],
        ...[
          'notifications/initialized',
          'notifications/cancelled',
          'completion/complete',
          'logging/setLevel',
        ],
      )
      .chain((method) =>
        fc
          .constantFrom<Record<string, unknown>>(
            {},
            { cursor: 'x' },
            { requestId: 1 },
            { uri: 'file:///etc/passwd' },
          )
          .map((params) => ({ method, params })),
      ),
  );
}
