import { expect, it } from '@jest/globals';
import { z } from 'zod';
import { parseData } from './parse-data.js';

const schema = z.array(z.strictObject({ name: z.string() }));

it('returns valid data, and names file and entry of invalid data', () => {
  expect(parseData('skills.json', schema, [{ name: 'Java' }])).toEqual([{ name: 'Java' }]);
  expect(() => parseData('skills.json', schema, [{ name: 'Java' }, { name: 7 }])).toThrow(
    /^skills\.json is invalid:\n {2}1\.name: .*string/,
  );
});
