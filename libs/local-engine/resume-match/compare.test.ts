import { describe, expect, it } from '@jest/globals';
import { resumePages } from '../../../test/support/resumes.js';
import { compareOffline } from './compare.js';
import { findOriginalText } from './original-text.js';
import { resultOf } from './result.js';
import { scoreOf } from '#libs/tools/calculate-ats-score/contract.js';

const now = new Date('2025-06-01T00:00:00Z');

function score(job: string, pages = resumePages) {
  const own = findOriginalText(pages, job);
  return resultOf(compareOffline(own, job, now), own);
}

const importances = (job: string) =>
  Object.fromEntries(
    Object.entries(score(job).breakdown).map(([name, { importance }]) => [name, importance]),
  );

describe('what a job description asks for', () => {
  it('has an importance, by section and by words', () => {
    const job = `Backend Engineer
You will work with Docker.
Requirements:
- Python and SQL
- Experience with Kafka is a plus
Nice to have
- Terraform
- Ansible is a must
What we offer
Training in Salesforce and Excel, a gym.`;
    expect(importances(job)).toMatchObject({
      Docker: 'mentioned',
      Python: 'required',
      SQL: 'required',
      Apache_Kafka: 'preferred',
      Terraform: 'preferred',
      Ansible: 'required',
    });
    expect(importances(job)).not.toHaveProperty('Salesforce');
    expect(importances(job)).not.toHaveProperty('Microsoft_Excel');
  });

  it.each([
    ['No experience with Kubernetes required, but Docker is a must.', ['Docker']],
    ['Kubernetes is not required. Docker is.', ['Docker']],
    ["You don't need Kubernetes; you need Docker.", ['Docker']],
    ['We use Docker instead of Kubernetes.', ['Docker']],
    ['Python, Java or Go, Docker', ['Python_or_Java_or_Go', 'Docker']],
    ['Java and Go', ['Java', 'Go']],
  ])('in %j', (job, names) => {
    expect(Object.keys(score(job).breakdown).sort()).toEqual([...names].sort());
  });

  it('include repeated terms', () => {
    const job = `Docker. You repair church organs. Our church organs are old. Tuning church organs takes patience.`;
    expect(score(job).breakdown.church_organs).toMatchObject({ importance: 'term', match: false });
  });
});

describe('the evidence', () => {
  it('quotes both texts, with the page', () => {
    const { breakdown } = score('Requirements: relational databases, Git');
    expect(breakdown.Relational_databases).toEqual({
      match: true,
      importance: 'required',
      weight: 3,
      credit: 1,
      feedback: 'Found on page 1 through PostgreSQL.',
      job: { quote: 'Requirements: relational databases, Git' },
      resume: {
        quote: 'Responsible for the tuning of PostgreSQL queries, cutting the slowest report by 85%',
        page: 1,
      },
    });
    expect(breakdown.Git).toMatchObject({ feedback: 'Listed on page 2.', resume: { page: 2 } });
  });

  it('ignores skills that the resume denies', () => {
    const pages = [
      `${resumePages[0]}\nNo experience with Ansible. Would like to learn Jenkins. Not only Helm charts.`,
    ];
    const { breakdown } = score('Ansible, Jenkins, Helm, Docker', pages);
    expect(Object.entries(breakdown).map(([name, { match }]) => [name, match])).toEqual([
      ['Ansible', false],
      ['Jenkins', false],
      ['Helm', true],
      ['Docker', true],
    ]);
  });
});

describe('the score', () => {
  const job = 'Must have: Go, Kubernetes, Ansible. Nice to have: Kafka, Jenkins.';

  it('follows from the breakdown by its formula, and is reproducible', () => {
    const first = score(job);
    // Required weighs 3, preferred 1: of Go, Kubernetes, Ansible, Kafka and Jenkins, Ansible and Jenkins are missing.
    expect(first.score).toBe(Math.round((100 * 7) / 11));
    expect(first.score).toBe(scoreOf(first.breakdown));
    expect(score(job)).toEqual(first);
    expect(first.feedback).toMatch(
      /^Your resume matches 3 out of 5 key skills\. Required and not found: Ansible\./,
    );
    expect(first.feedback).toContain('not been validated against any real applicant tracking system');
    expect(first.suggestions[0]).toContain('Ansible');
  });

  it('orders skills by importance, and missing ones first among equals', () => {
    const result = score('We use Docker and Puppet. Nice to have: Kafka, Jenkins. Must have: Go, Ansible.');
    expect(result.order).toEqual(['Ansible', 'Go', 'Puppet', 'Docker', 'Jenkins', 'Apache_Kafka']);
    expect(Object.keys(result.breakdown)).toEqual(result.order);
  });

  it('adds one to the weight of frequent requests', () => {
    const often = score('Docker. Docker images. Docker files. Ansible.');
    expect(often.breakdown.Docker?.weight).toBe(3);
    expect(often.breakdown.Ansible?.weight).toBe(2);
    expect(often.score).toBe(60);
  });

  it('is 0 for no weights, and never beyond its bounds', () => {
    expect(scoreOf({})).toBe(0);
  });

  it('does not rise for a pasted job description', () => {
    const long = `We look for an engineer who must know Ansible, Jenkins, Helm and Puppet, can write Scala and Haskell, and has run Splunk and Datadog for years.`;
    const honest = score(long);
    const pasted = score(long, [...resumePages, `Keywords\n${long}`]);
    expect(pasted.score).toBe(honest.score);
    expect(pasted.feedback).toContain('copied from the job description');
  });

  it('rises by at most half for keyword stuffing', () => {
    const heap = `Ansible, Jenkins, Helm, Pulumi, Splunk, Datadog, Grafana, Prometheus, Redis, MySQL, MariaDB, SQLite, MongoDB, Cassandra,
Couchbase, Snowflake, BigQuery, Redshift, Databricks, Hadoop, Angular, Svelte, jQuery, Django, FastAPI, Laravel, Symfony, Kotlin,
Scala, Elixir, Erlang, Haskell, Clojure, Perl, MATLAB, COBOL, Fortran, Groovy, Lua, Solidity, GraphQL, SOAP, Podman, CircleCI, Jira,
Confluence, Scrum, Kanban, TensorFlow, PyTorch, pandas, NumPy`;
    const job = 'Requirements: Ansible, Jenkins';
    expect(score(job).score).toBe(0);
    expect(score(job, [...resumePages, heap])).toMatchObject({
      score: 50,
      feedback: expect.stringContaining('mere list of keywords') as unknown as string,
    });
  });

  it('does not count repeated words again', () => {
    const repeated = [...resumePages, 'Docker Docker Docker Docker Docker Docker Docker Docker'];
    expect(score('Docker, Ansible', repeated).score).toBe(score('Docker, Ansible').score);
  });
});

describe('years and degrees', () => {
  it('do not change the score', () => {
    const { requirements, score: value } = score(
      'Docker. At least five years of experience in backend development. Bachelor’s degree in Computer Science required.',
    );
    expect(requirements).toMatchObject([
      {
        kind: 'experience',
        met: true,
        note: expect.stringContaining('7 full years') as unknown as string,
        resume: { page: 1 },
      },
      {
        kind: 'education',
        met: true,
        resume: { quote: 'BSc Computer Science, Uppsala University, 2010 - 2013', page: 2 },
      },
    ]);
    expect(value).toBe(100);
  });

  it('are unknown if the resume has no dates', () => {
    const pages = [(resumePages[0] ?? '').replace(/\w{3} \d{4} - (?:\w{3} \d{4}|Present)/g, '')];
    expect(
      score('Docker. 3+ years of experience. Master’s degree or equivalent experience.', pages).requirements,
    ).toMatchObject([
      { kind: 'experience', met: null, resume: null },
      { kind: 'education', met: null, resume: null },
    ]);
    expect(score('Docker, 20 years of experience').requirements[0]?.met).toBe(false);
  });
});
