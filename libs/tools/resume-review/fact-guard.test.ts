import { describe, expect, it } from '@jest/globals';
import { toResume } from '#libs/local-engine/resume/resume.js';
import { resumePages } from '../../../test/support/resumes.js';
import { createResumeFacts } from '../shared/resume-facts.js';
import { createReviewGuard } from './fact-guard.js';

const facts = createResumeFacts(toResume('mara.pdf', resumePages));
const inventions = (text: string, kind: 'remark' | 'rewriting' | 'heading' = 'remark') =>
  Array.from(new Set(facts.unsupportedFacts(text, kind).map(({ start, end }) => text.slice(start, end))));

/** A review that was written in pieces of seven letters. */
function guarded(text: string, repairs?: string[]) {
  const guard = createReviewGuard(facts);
  const shown = [...(text.match(/[\s\S]{1,7}/g) ?? []).map((piece) => guard.add(piece)), guard.end()].join(
    '',
  );
  return { shown, rejectedLines: guard.rejectedLines, review: guard.review(repairs) };
}

describe('unsupported facts', () => {
  it.each([
    ['The resume shows Go, gRPC and Kubernetes at Freightline Systems.', []],
    ['**Quantify Results**: Add figures where you know them. Keep to two pages.', []],
    ['The line “Moved all services to Kubernetes” is strong; [number] of services would help.', []],
    ['Use the STAR form and check the PDF in an ATS, and add LinkedIn.', []],
    ['Postgres work cut the slowest report by 85%.', []],
    ['You worked at Google and in Boston.', ['Google', 'Boston']],
    ['Google: say more.', ['Google']],
    ['- **Clean Contact Header:** Email and phone stand at the top.', []],
    ['Begin with an action verb such as Built, Migrated or Reduced.', []],
    ['Group them: Infrastructure (Docker), Data (Kafka). Proofread it.', []],
    ['You led a project at Summit Partners.', ['Summit', 'Partners']],
    ['**Zendesk:** good work.', ['Zendesk']],
    ['Add Ansible and Jenkins.', ['Ansible', 'Jenkins']],
    ['You could name machine learning here.', ['machine learning']],
    ['You cut costs by 40%.', ['40%']],
    ['The 85 reports are good.', []],
    ['You booked 300% more.', ['300%']],
    ['You saved $300.', ['$300']],
    ['Your line “Managed a large team of engineers” is weak.', ['“Managed a large team of engineers”']],
    ['See https://evil.example/x for more.', ['https://evil.example/x']],
    ['An AWS and GCP background.', ['GCP']],
  ])('is found in %j', (text, expected) => {
    expect(inventions(text)).toEqual(expected);
  });

  it('is checked more strictly in a rewriting', () => {
    expect(inventions('Led twelve engineers and doubled the speed', 'rewriting')).toEqual([
      'twelve',
      'doubled',
    ]);
    expect(inventions('Tuned PostgreSQL queries for [number] users', 'rewriting')).toEqual([]);
    expect(inventions('Led twelve engineers')).toEqual([]);
  });

  it('is found in headings', () => {
    expect(inventions('### Professional Experience', 'heading')).toEqual([]);
    expect(inventions('### Zendesk Years', 'heading')).toEqual(['Zendesk']);
  });
});

describe('the guard', () => {
  it('passes supported lines unchanged', () => {
    const review =
      '# Resume review\n\n## Strengths\n- Go and gRPC at Freightline Systems.\n- A figure: “by 85%”.\n';
    const { shown, rejectedLines, review: final } = guarded(review);
    expect(rejectedLines).toEqual([]);
    expect(final).toBe(review);
    expect(shown).toBe(review.trimEnd());
  });

  it('never shows invented facts: numbers become placeholders, sentences and examples are removed', () => {
    const { shown, rejectedLines, review } = guarded(`# Resume review
## Strengths
- You cut costs by 40%. You worked for Google. The tuning is good.
- You know Ansible.
## Rewritten examples
- Before: "Moved all services to Kubernetes and wrote their Docker images"
- After: Moved 25 services to Kubernetes and wrote their Docker images
- Before: "Was given the task to write unit tests for the label printer"
- After: Wrote unit tests with Cypress for the label printer
- Before: "Led the team to victory in every single year"
- After: Led the team
## Next steps
- Add figures.`);
    expect(review).toBe(`# Resume review
## Strengths
- You cut costs by [number]. The tuning is good.
## Rewritten examples
- Before: "Moved all services to Kubernetes and wrote their Docker images"
- After: Moved [number] services to Kubernetes and wrote their Docker images
## Next steps
- Add figures.
`);
    expect(shown).toBe(review.trimEnd());
    expect(rejectedLines.map(({ problems }) => problems)).toEqual([
      ['40%', 'Google'],
      ['Ansible'],
      ['25'],
      ['Cypress'],
    ]);
  });

  it('accepts repaired lines, unless they have unsupported facts', () => {
    const text = '# Review\n- You know Ansible.\n- You led Google.\n- Go is good.';
    const repairs = ['- Say which tools you use: [tool].', '- You led Microsoft.'];
    expect(guarded(text, repairs).review).toBe(
      '# Review\n- Say which tools you use: [tool].\n- Go is good.\n',
    );
  });

  it('keeps the pair of lines if the second one is repaired', () => {
    const text =
      '# Review\n- Before: "Moved all services to Kubernetes"\n- After: Moved 25 services with Helm to Kubernetes';
    expect(guarded(text, ['Moved [number] services to Kubernetes']).review).toBe(
      '# Review\n- Before: "Moved all services to Kubernetes"\n- After: Moved [number] services to Kubernetes\n',
    );
  });

  it('removes empty sections, preambles and fences', () => {
    const text =
      'Sure, here is the review:\n```markdown\n# Review\n## Strengths\n- You know Ansible.\n## Next steps\n- Add figures.\n```';
    expect(guarded(text).review).toBe('# Review\n## Next steps\n- Add figures.\n');
  });
});
