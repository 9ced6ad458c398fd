import { Option, type Command } from 'commander';
import { auditedActions, readAuditLog, type AuditFilter } from '#libs/audit/audit-log.js';
import { asJson, wholeNumber, write, type Output, type Terminal } from './command-line.js';
import { withPlatform } from './platform.js';
import { table } from './table.js';

/** The audit log of operators. */
export function auditCommands(program: Command, terminal: Terminal): void {
  program
    .command('audit')
    .description('the audit log of what operators did, newest first')
    .option('--operator <name>', 'only entries of this operator')
    .addOption(new Option('--action <action>', 'only entries of this kind').choices(auditedActions))
    .option('--target <id>', 'only entries about this user, job, queue, creation, key or app')
    .addOption(
      new Option('--limit <entries>', 'maximum number of entries').argParser(wholeNumber(10_000)).default(20),
    )
    .addOption(asJson())
    .action((filter: Output & AuditFilter) =>
      withPlatform(terminal, async ({ dataSource }) => {
        const entries = await readAuditLog(dataSource, filter);
        write(terminal, filter, entries, () =>
          entries.length === 0
            ? 'There are no such entries.\n'
            : table(
                ['TIME', 'OPERATOR', 'ACTION', 'TARGET', 'REASON'],
                entries.map(({ at, operator, action, target, reason }) => [
                  at.slice(0, 19).replace('T', ' '),
                  ...[operator, action, target, reason],
                ]),
              ),
        );
      }),
    );
}
