import hk from '@fontsource/noto-sans-hk/unicode.json' with { type: 'json' };
import jp from '@fontsource/noto-sans-jp/unicode.json' with { type: 'json' };
import sc from '@fontsource/noto-sans-sc/unicode.json' with { type: 'json' };

/**
 * The numbered parts of the fonts for all Chinese characters. The other fonts have half of the traditional ones, and few of rare
 * Japanese names.
 */
export const eastAsianParts = Object.entries({ sc, hk, jp }).flatMap(([family, parts]) =>
  Object.entries(parts)
    .filter(([part]) => part.startsWith('['))
    .map(([part, ranges]) => ({ name: `noto-sans-${family}-${part.slice(1, -1)}`, ranges })),
);
