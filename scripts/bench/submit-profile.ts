import { table } from '../cli/table.ts';
import { freePort } from '../stack/ports.ts';
import { query } from '../stack/query.ts';
import { print } from '../stack/terminal.ts';
import { profiled, recordCpuProfile, type CpuShares } from './cpu-profile.ts';
import { cpuBetween, readCpuTimes } from './cpu.ts';
import { machine, onBothBackends } from './figures.ts';
import { sendRequests, startSubmitServers } from './submit.ts';
import { deleteJobs } from './users.ts';

/** Requests while profiled. As many are sent before, so that V8 has compiled the code. */
const REQUESTS = 2_500;
const FUNCTIONS = 20;
const STATEMENTS = 14;

/** Settings of PostgreSQL with which it counts and times each statement, also those in functions. */
export const STATEMENT_STATISTICS = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track': 'all',
};

interface Load {
  /** CPU milliseconds of the program for each request. */
  cpuMs: number;
  shares: CpuShares;
  statements: Statement[];
}

interface Statement {
  text: string;
  isNested: boolean;
  calls: number;
  milliseconds: number;
}

/**
 * Prints what the CPU time of a submission is spent for: in the api by V8's profiler, compared with the handler that does
 * the same writes, and in PostgreSQL by statement. A part is the time of its own functions, without those that they call.
 */
export async function profileSubmit(databaseUrl: string): Promise<void> {
  await query(databaseUrl, 'CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  await onBothBackends((queue, variables) => profile(queue, databaseUrl, variables));
}

async function profile(queue: string, databaseUrl: string, variables: Record<string, string>) {
  const ports = { bare: await freePort(), api: await freePort() };
  const servers = await startSubmitServers(queue, databaseUrl, variables, {
    bare: profiled(ports.bare),
    api: profiled(ports.api),
  });
  try {
    const measure = async (name: 'bare' | 'api', url: string, tokens?: string[]): Promise<Load> => {
      await sendRequests(url, { amount: REQUESTS }, tokens);
      await deleteJobs(databaseUrl);
      await query(databaseUrl, 'SELECT pg_stat_statements_reset()');
      const read = () => readCpuTimes({ [name]: servers[name].pid });
      const before = read();
      let after = before;
      const shares = await recordCpuProfile(ports[name], async () => {
        await sendRequests(url, { amount: REQUESTS }, tokens);
        after = read();
      });
      const statements = await readStatements(databaseUrl);
      await deleteJobs(databaseUrl);
      return { cpuMs: cpuBetween(before, after)[name]! / REQUESTS, shares, statements };
    };
    const same = await measure('bare', `${servers.bare.address}/submit-same-writes`);
    const ours = await measure('api', `${servers.api.address}/api/ai/generate-article`, servers.tokens);
    print(
      `Submit, CPU milliseconds of a request, ${REQUESTS} requests, queue on ${queue}, while profiled: ${machine()}`,
    );
    print(table(['', 'api', '%', 'same writes', '%'], partRows(ours, same)).trimEnd());
    print(`  functions of the api with the most time of their own:`);
    for (const [name, share] of largest(ours.shares.functions).slice(0, FUNCTIONS))
      print(`    ${(share * ours.cpuMs).toFixed(3)} ${name}`);
    print(`  statements of PostgreSQL, milliseconds and calls for each request:`);
    printStatements('same writes', same);
    printStatements('api', ours);
  } finally {
    await servers.stop();
  }
}

function partRows(ours: Load, same: Load): string[][] {
  const names = new Set([...largest(ours.shares.parts), ...largest(same.shares.parts)].map(([name]) => name));
  const cells = ({ shares, cpuMs }: Load, name: string) => {
    const share = shares.parts.get(name) ?? 0;
    return [(share * cpuMs).toFixed(3), (share * 100).toFixed(1)];
  };
  return [
    ...[...names].map((name) => [name, ...cells(ours, name), ...cells(same, name)]),
    ['all', ours.cpuMs.toFixed(3), '100', same.cpuMs.toFixed(3), '100'],
  ];
}

const largest = (times: Map<string, number>) => [...times].sort(([, a], [, b]) => b - a);

function printStatements(program: string, { statements }: Load) {
  const sent = statements.filter(({ isNested }) => !isNested);
  const sum = (figure: 'calls' | 'milliseconds') =>
    sent.reduce((total, statement) => total + statement[figure], 0) / REQUESTS;
  print(`    ${program}: ${sum('milliseconds').toFixed(3)} ms, ${sum('calls').toFixed(2)} statements sent`);
  for (const { text, isNested, calls, milliseconds } of statements.slice(0, STATEMENTS))
    print(
      `      ${(milliseconds / REQUESTS).toFixed(3)} ${(calls / REQUESTS).toFixed(2)} ${isNested ? '  in it: ' : ''}${text}`,
    );
}

async function readStatements(databaseUrl: string): Promise<Statement[]> {
  const { rows } = await query(
    databaseUrl,
    `SELECT left(regexp_replace(query, '\\s+', ' ', 'g'), 110) AS text, NOT toplevel AS "isNested", calls::float AS calls,
       total_exec_time + total_plan_time AS milliseconds
     FROM pg_stat_statements WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND query NOT LIKE '%pg_stat_statements%'
     ORDER BY milliseconds DESC`,
  );
  return rows as Statement[];
}
