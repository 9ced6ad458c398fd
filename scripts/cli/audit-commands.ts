import { Option, type Command } from 'commander';
import { auditOutcome, type AuditFilter } from '#libs/contract/admin.js';
import { auditedActions, readAuditLog } from '#libs/audit/audit-log.js';
import {
  afterCursor,
  asJson,
  between,
  timesOf,
  wholeNumber,
  write,
  writeMore,
  type Output,
  type Terminal,
} from './command-line.js';
import { withPlatform } from './platform.js';
import { table } from './table.js';

interface AuditOptions {
  between?: string[];
  /** Id of the last entry that was listed. */
  cursor?: number;
  limit: number;
}

/** The audit log of operators. */
export function auditCommands(program: Command, terminal: Terminal): void {
  program
    .command('audit')
    .description('the audit log of what operators did, newest first')
    .option('--operator <name>', 'only entries of operators with this in their name')
    .addOption(new Option('--action <action>', 'only entries of this kind').choices(auditedActions))
    .option(
      '--target <id>',
      'only entries about this job, queue, creation, key or app, or about this user and what belongs to the user',
    )
    .addOption(between('entries'))
    .addOption(afterCursor('entries').argParser(wholeNumber(Number.MAX_SAFE_INTEGER)))
    .addOption(
      new Option('--limit <entries>', 'maximum number of entries').argParser(wholeNumber(10_000)).default(20),
    )
    .addOption(asJson())
    .action(({ between: times, cursor, limit, ...filter }: Output & AuditFilter & AuditOptions) =>
      withPlatform(terminal, async ({ dataSource }) => {
        const found = await readAuditLog(dataSource, {
          ...filter,
          ...(times && timesOf(times)),
          before: cursor,
          limit: limit + 1,
        });
        const entries = found.slice(0, limit);
        if (found.length > limit) writeMore(terminal, `${limit} entries`, entries.at(-1)!.id);
        write(terminal, filter, entries, () =>
          entries.length === 0
            ? 'There are no such entries.\n'
            : table(
                ['TIME', 'OPERATOR', 'ACTION', 'OUTCOME', 'TARGET', 'REASON'],
                entries.map((entry) => [
                  entry.at.slice(0, 19).replace('T', ' '),
                  ...[entry.operator, entry.action, auditOutcome(entry), entry.target, entry.reason],
                ]),
              ),
        );
      }),
    );
}
