import { describe, expect, it } from '@jest/globals';
import { judge } from './rules.ts';

const judgeLicence = (licence: string | undefined, name = 'some-package') =>
  judge({ name, version: '1.0.0', licence });

describe('a licence', () => {
  it.each(['MIT', 'Apache-2.0 AND MIT', '(MIT OR GPL-3.0-only)', '(GPL-2.0-only OR BSD-3-Clause)'])(
    'is permitted: %s',
    (licence) => expect(judgeLicence(licence)).toEqual({ licence, exception: null }),
  );

  it.each([
    'GPL-3.0-only',
    'MIT AND GPL-3.0-only',
    'AGPL-3.0-only',
    'SEE LICENSE IN LICENSE',
    'LGPL-3.0-or-later',
    undefined,
  ])('is refused: %s', (licence) => expect(judgeLicence(licence)).toBeNull());

  it('is permitted as an exception only for the packages of the rule', () => {
    expect(judgeLicence('MPL-2.0', 'axe-core')?.exception?.reason).toMatch(/tests/);
    expect(judgeLicence('Apache-2.0 AND LGPL-3.0-or-later', '@img/sharp-wasm32')?.exception).not.toBeNull();
    expect(judgeLicence('MPL-2.0', 'axe-core-fork')).toBeNull();
  });
});
