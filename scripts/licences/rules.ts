/** Licences that ask for no more than their notice to be kept (SPDX). */
const permitted = [
  ...[
    '0BSD',
    'Apache-2.0',
    'BlueOak-1.0.0',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'CC0-1.0',
    'ISC',
    'MIT',
    'MIT-0',
  ],
  ...['PostgreSQL', 'Python-2.0', 'Unlicense', 'Zlib'],
];

interface Exception {
  packages: RegExp;
  licence: string;
  reason: string;
}

/** Other licences, each for the packages it was judged for. */
export const exceptions: Exception[] = [
  {
    packages: /^@fontsource(-variable)?\//,
    licence: 'OFL-1.1',
    reason: 'Fonts: they may be bundled and embedded, only not sold by themselves.',
  },
  {
    packages: /^@img\/sharp-/,
    licence: 'LGPL-3.0-or-later',
    reason:
      'libvips, unchanged and as a shared library of its own, which whoever runs Pressroom can replace.',
  },
  {
    packages: /^axe-core$/,
    licence: 'MPL-2.0',
    reason: 'A tool of the tests, unchanged; nothing of it is in the product.',
  },
  {
    packages: /^lightningcss(-|$)/,
    licence: 'MPL-2.0',
    reason: 'A tool of the build, unchanged; nothing of it is in the product.',
  },
  {
    packages: /^caniuse-lite$/,
    licence: 'CC-BY-4.0',
    reason: 'Data for the tools of the build; nothing of it is in the product.',
  },
  {
    packages: /^commonmark-spec$/,
    licence: 'CC-BY-SA-4.0',
    reason: 'Cases for a test, unchanged; nothing of it is in the product.',
  },
  {
    packages: /^dictionary-en$/,
    licence: 'BSD',
    reason: 'The word list of SCOWL: its licence file holds notices in the manner of BSD and MIT.',
  },
];

/** Packages that state their licence in their files only. */
const stated: Record<string, string> = { 'humanize-number': 'MIT', only: 'MIT', 'png-js': 'MIT' };

/** A package of package-lock.json. */
export interface LockedPackage {
  name: string;
  version: string;
  /** An SPDX expression, where the lock file or the package has one. */
  licence: string | undefined;
}

export interface Judgement {
  licence: string;
  /** Null where it is permitted as it is. */
  exception: Exception | null;
}

/** @returns how a package may be used; null where it may not */
export function judge({ name, licence }: LockedPackage): Judgement | null {
  const expression = licence ?? stated[name];
  if (expression === undefined) return null;
  const choices = expression.replace(/[()]/g, '').split(' OR ');
  for (const choice of choices) {
    const used = choice
      .split(' AND ')
      .filter((one) => !permitted.includes(one))
      .map((one) => exceptions.find((rule) => rule.licence === one && rule.packages.test(name)));
    if (used.every((rule) => rule !== undefined)) return { licence: expression, exception: used[0] ?? null };
  }
  return null;
}
