import { describe, expect, it } from '@jest/globals';
import { compareReports } from './compare-reports';
import type { AtsReport, Skill } from './read-report';

const skill = (name: string, match: boolean): Skill => ({
  ...{ name, match, feedback: '', requirement: null, scoring: null, evidence: null },
});
const report = (score: number, ...skills: Skill[]): AtsReport => ({
  ...{ score, skills, feedback: '', suggestions: [], limits: null, requirements: [] },
});

describe('two ATS reports', () => {
  it('differ in points and in the skills that are found', () => {
    const before = report(50, skill('Go', true), skill('kubernetes', false), skill('Java', true));
    const now = report(75, skill('Go', true), skill('Kubernetes', true), skill('Java', false));
    expect(compareReports(before, now)).toEqual({
      ...{ points: 25, found: ['Kubernetes'], lost: ['Java'], onlyInOne: [] },
    });
  });

  it('compare only skills that both ask for', () => {
    const change = compareReports(report(50, skill('Go', true)), report(40, skill('Rust', true)));
    expect(change).toEqual({ points: -10, found: [], lost: [], onlyInOne: ['Rust', 'Go'] });
  });
});
