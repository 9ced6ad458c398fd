import { z } from 'zod';
import { compareOffline } from '#libs/local-engine/resume-match/compare.js';
import { findOriginalText } from '#libs/local-engine/resume-match/original-text.js';
import { postingText } from '#libs/local-engine/resume-match/posting-text.js';
import { resultOf } from '#libs/local-engine/resume-match/result.js';
import type { AtsResult } from '#libs/tools/calculate-ats-score/contract.js';
import { readYaml } from '../../stack/read-yaml.ts';

const names = z.array(z.string());
const verdict = z.boolean().nullable().optional();

const jobs = readYaml(
  new URL('labelled.yaml', import.meta.url),
  z.array(
    z.strictObject({
      profession: z.string(),
      /** True for the half that is measured only. */
      report: z.boolean().default(false),
      job: z.string(),
      resumes: z.array(
        z.strictObject({
          text: z.string(),
          /** Requirements by the name of the skill; of "Java or Kotlin" one is enough. */
          met: names,
          missing: names,
          notAsked: names.default([]),
          years: verdict,
          degree: verdict,
          /** The lowest and the highest score that a reader would give. */
          band: z.tuple([z.number(), z.number()]),
        }),
      ),
    }),
  ),
);

type Labels = (typeof jobs)[number]['resumes'][number];

/** How well scores agree with labels by hand, of one half of the pairs. */
export interface Agreement {
  pairs: number;
  labels: number;
  agreed: number;
  inBand: number;
  /** What disagrees, for a reader. */
  disagreements: string[];
}

export function measureAgreement(isReport: boolean): Agreement {
  const sum: Agreement = { pairs: 0, labels: 0, agreed: 0, inBand: 0, disagreements: [] };
  for (const { profession, job, report, resumes } of jobs) {
    if (report !== isReport) continue;
    for (const labels of resumes) {
      const result = compare(job, labels.text);
      const checks = checksOf(result, labels);
      const wrong = checks.filter(({ holds }) => !holds).map(({ label }) => label);
      const [least, most] = labels.band;
      const isInBand = result.score >= least && result.score <= most;
      sum.pairs += 1;
      sum.labels += checks.length;
      sum.agreed += checks.length - wrong.length;
      sum.inBand += Number(isInBand);
      if (!isInBand) wrong.push(`score ${result.score} not in ${least} to ${most}`);
      if (wrong.length > 0)
        sum.disagreements.push(`${profession}, ${labels.text.split('\n')[0]}: ${wrong.join('; ')}`);
    }
  }
  return sum;
}

function compare(job: string, resume: string): AtsResult {
  const posting = postingText(job);
  const own = findOriginalText([resume], posting);
  return resultOf(compareOffline(own, posting, new Date('2026-06-01T00:00:00Z')), own);
}

interface Check {
  label: string;
  holds: boolean;
}

function checksOf(result: AtsResult, { met, missing, notAsked, years, degree }: Labels): Check[] {
  const matches = new Map(
    Object.entries(result.breakdown).map(([key, { match }]) => [optionsOf(key.replaceAll('_', ' ')), match]),
  );
  const asked = new Set([...matches.keys()].flatMap((key) => key.split(' or ')));
  const verdictOf = (kind: 'experience' | 'education') =>
    result.requirements.find((requirement) => requirement.kind === kind)?.met;
  return [
    ...met.map((name) => ({ label: `${name} is met`, holds: matches.get(optionsOf(name)) === true })),
    ...missing.map((name) => ({
      label: `${name} is missing`,
      holds: matches.get(optionsOf(name)) === false,
    })),
    ...notAsked.map((name) => ({ label: `${name} is not asked for`, holds: !asked.has(name) })),
    ...(years === undefined ? [] : [{ label: `years: ${years}`, holds: verdictOf('experience') === years }]),
    ...(degree === undefined
      ? []
      : [{ label: `degree: ${degree}`, holds: verdictOf('education') === degree }]),
  ];
}

/** The alternatives of a name, in a fixed order. */
const optionsOf = (name: string) => name.split(' or ').sort().join(' or ');
