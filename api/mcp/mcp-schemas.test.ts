import { expect, it } from '@jest/globals';
import { toolNames } from '#libs/tools/catalogue.js';
import { inputSchemaOf } from './mcp-schemas.js';

it('builds the schema of each tool once', () => {
  for (const name of toolNames) expect(inputSchemaOf(name)).toBe(inputSchemaOf(name));
});
