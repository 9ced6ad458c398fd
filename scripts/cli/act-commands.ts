import { Option, type Command } from 'commander';
import { operatorActions, readActs, type ActFilter } from '#libs/operators/operator-acts.js';
import { asJson, wholeNumber, write, type Output, type Terminal } from './command-line.js';
import { withPlatform } from './platform.js';
import { table } from './table.js';

/** The log of what operators did. */
export function actCommands(program: Command, terminal: Terminal): void {
  program
    .command('acts')
    .description('what operators did: the newest acts')
    .option('--operator <name>', 'only acts of this operator')
    .addOption(new Option('--action <action>', 'only acts of this kind').choices(operatorActions))
    .option('--target <id>', 'only acts about this user, job, queue, creation, key or app')
    .addOption(
      new Option('--limit <acts>', 'maximum number of acts').argParser(wholeNumber(10_000)).default(20),
    )
    .addOption(asJson())
    .action((filter: Output & ActFilter) =>
      withPlatform(terminal, async ({ dataSource }) => {
        const acts = await readActs(dataSource, filter);
        write(terminal, filter, acts, () =>
          acts.length === 0
            ? 'There are no such acts.\n'
            : table(
                ['TIME', 'OPERATOR', 'ACTION', 'TARGET', 'REASON'],
                acts.map(({ at, operator, action, target, reason }) => [
                  at.slice(0, 19).replace('T', ' '),
                  ...[operator, action, target, reason],
                ]),
              ),
        );
      }),
    );
}
