import json from './rules.json' with { type: 'json' };

interface Exception {
  packages: RegExp;
  licence: string;
  reason: string;
}

/** Licences with further conditions, each for the packages that were examined. */
export const exceptions: Exception[] = json.exceptions.map(({ packages, ...rule }) => ({
  ...rule,
  packages: new RegExp(packages),
}));

/** SPDX ids of licences whose only condition is to keep the notice. */
const permitted = new Set(json.permitted);

/** Licences of packages whose `package.json` has no valid SPDX expression. */
const stated: Record<string, string> = json.stated;

export interface LicensedPackage {
  name: string;
  version: string;
  /** An SPDX expression; undefined where the bill of materials has none. */
  licence: string | undefined;
}

export interface Judgement {
  licence: string;
  /** Null where no exception is needed. */
  exception: Exception | null;
}

/** @returns the terms under which a package may be used; null where no rule permits its licence */
export function judge({ name, licence }: LicensedPackage): Judgement | null {
  const expression = licence ?? stated[name];
  if (expression === undefined) return null;
  const choices = expression.replace(/[()]/g, '').split(' OR ');
  for (const choice of choices) {
    const used = choice
      .split(' AND ')
      .filter((one) => !permitted.has(one))
      .map((one) => exceptions.find((rule) => rule.licence === one && rule.packages.test(name)));
    if (used.every((rule) => rule !== undefined)) return { licence: expression, exception: used[0] ?? null };
  }
  return null;
}
