import { describe, expect, it } from '@jest/globals';
import { readReport, reportMarkdown, reportText, scoreTone } from './read-report.js';

const skill = {
  match: true,
  feedback: 'Named with a result.',
  importance: 'required',
  weight: 3,
  credit: 1,
  job: { quote: 'Must have: Go' },
  resume: { quote: 'wrote the router in Go', page: 2 },
};

it('reads why a score is no measure, and leaves the number out of copies', () => {
  const report = readReport({
    score: 12,
    limits: 'The job description seems to be in Japanese.',
    breakdown: {},
  });
  expect(report?.limits).toBe('The job description seems to be in Japanese.');
  expect(reportText(report!)).not.toContain('12');
  expect(reportMarkdown(report!)).toContain('no reliable score');
});

describe('readReport', () => {
  it('keeps the quotes of each skill', () => {
    const report = readReport({
      score: 71,
      breakdown: { machine_learning: skill, Ansible: { ...skill, match: false, resume: null } },
      feedback: 'Most of it is there.',
      suggestions: ['Name Ansible if you have used it.'],
      requirements: [
        { kind: 'experience', job: { quote: '5 years' }, resume: null, met: null, note: 'No dates.' },
      ],
    });
    expect(report).toMatchObject({
      score: 71,
      skills: [
        { name: 'Ansible', match: false, evidence: null },
        {
          name: 'machine learning',
          match: true,
          requirement: { quote: 'Must have: Go', importance: 'required' },
          evidence: { quote: 'wrote the router in Go', page: 2 },
        },
      ],
      suggestions: ['Name Ansible if you have used it.'],
      requirements: [{ kind: 'experience', met: null }],
    });
  });

  it('has its skills in the order of the result, or by importance and what is missing', () => {
    const missing = { ...skill, match: false, resume: null };
    // PostgreSQL's jsonb orders keys by their length, so the order of the result is lost.
    const breakdown = {
      Go: skill,
      Rust: { ...missing, importance: 'preferred' },
      Docker: { ...skill, importance: 'mentioned' },
      Machine_learning: missing,
    };
    const namesOf = (report: object) => readReport(report)?.skills.map(({ name }) => name);
    expect(namesOf({ score: 1, breakdown })).toEqual(['Machine learning', 'Go', 'Docker', 'Rust']);
    const order = ['Docker', 'Machine_learning', 'Rust', 'Go'];
    expect(namesOf({ score: 1, breakdown, order })).toEqual(['Docker', 'Machine learning', 'Rust', 'Go']);
  });

  it('reads JSON, and a single string as suggestions', () => {
    expect(readReport('{"score": 50, "suggestions": "Add dates."}')).toEqual({
      score: 50,
      skills: [],
      feedback: '',
      suggestions: ['Add dates.'],
      requirements: [],
      limits: null,
    });
  });

  it.each([
    [-4, 0],
    [130, 100],
    [69.5, 70],
    ['85%', 85],
    ['high', 0],
  ])('clamps the score %p to %d', (score, shown) => {
    expect(readReport({ score })?.score).toBe(shown);
  });

  it('computes the score of a map of skills', () => {
    expect(
      readReport({
        Go: true,
        team_lead: { match: 'yes', feedback: 'Led a team of four.' },
        Kafka: { match: false },
      }),
    ).toMatchObject({
      score: 67,
      feedback: 'Your resume matches 2 out of 3 key skills',
      suggestions: [
        'Strong match for Go',
        'Strong match for team lead: Led a team of four.',
        'Missing or weak Kafka: Consider adding this skill',
      ],
    });
  });

  it('computes the score of a breakdown without one', () => {
    expect(readReport({ breakdown: { Go: 'MATCH', Kafka: 'MISSING' }, feedback: 'x' })?.score).toBe(50);
  });

  it.each([['not JSON'], [{}], [{ feedback: 'Only words' }]])(
    'reports what it cannot parse: %p',
    (content) => {
      expect(readReport(content)).toEqual({
        score: 0,
        skills: [],
        feedback: 'Could not parse results',
        suggestions: ['Please try again or check your inputs'],
        requirements: [],
        limits: null,
      });
    },
  );

  it.each([[null], ['[1]'], ['7'], [12], [[skill]], [undefined]])(
    'is none when it is no object: %p',
    (content) => {
      expect(readReport(content)).toBeNull();
    },
  );

  it('is copied as score, feedback and suggestions', () => {
    const report = {
      score: 67,
      skills: [],
      feedback: 'Good.',
      suggestions: ['One', 'Two'],
      requirements: [],
      limits: null,
    };
    expect(reportText(report)).toBe('ATS Score: 67/100\n\nFeedback: Good.\n\nSuggestions:\n- One\n- Two');
    expect(reportText({ ...report, feedback: '', suggestions: [] })).toBe('ATS Score: 67/100');
  });
});

it.each([
  [0, 'low'],
  [39, 'low'],
  [40, 'middling'],
  [69, 'middling'],
  [70, 'high'],
  [100, 'high'],
])('colours %d as %s', (score, tone) => {
  expect(scoreTone(score)).toBe(tone);
});
