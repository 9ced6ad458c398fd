import { expect, it } from '@jest/globals';
import { cpuTimeOf } from '../../../../../test/support/cpu-time';
import { diagramAlt } from './diagram-alt';

it.each([
  ['graph TD\n  A --> B', 'Diagram: graph TD A --> B'],
  ['graph TD\n  accTitle: Orders\n  A --> B', 'Diagram: Orders'],
  [
    'graph TD\n  accTitle: Orders\n  accDescr: How orders are paid\n  A --> B',
    'Diagram: How orders are paid',
  ],
  ['graph TD\n  accDescr {\n    How orders\n    are paid\n  }\n  A --> B', 'Diagram: How orders are paid'],
  [`graph TD\n${'😀'.repeat(300)}`, `Diagram: graph TD ${'😀'.repeat(191)}…`],
])('describes %j', (code, alt) => {
  expect(diagramAlt(code)).toBe(alt);
});

it('reads many blank lines in little time', async () => {
  const code = `graph TD${'\n'.repeat(20_000)}A --> B`;
  expect(await cpuTimeOf(200, () => diagramAlt(code))).toBeLessThan(200);
});
