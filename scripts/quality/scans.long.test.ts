import { expect, it } from '@jest/globals';
import { describeWithModels } from '../../test/support/models.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';
import { measureScans } from './scans/measure.ts';

allowTimeForPrograms();

/** Limits above the measured 0.27, 0.29 and 0.21 % of the characters on eight pages. */
const MAX_ERROR_RATE = { clean: 0.005, scanner: 0.02, phone: 0.06 };

describeWithModels('scans', () => {
  it('are read with few wrong characters at each grade', async () => {
    for (const { grade, report } of await measureScans(1)) expect(report).toBeLessThan(MAX_ERROR_RATE[grade]);
  });
});
