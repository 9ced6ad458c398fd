import { describe, expect, it } from '@jest/globals';
import { EngineError } from '#libs/contract/engine.js';
import { withoutSources } from '#libs/contract/markdown.js';
import { documentsOf, resumeFile, resumePages } from '../../../test/support/resumes.js';
import { recordRun } from '../../../test/support/run-context.js';
import { useTextProvider } from '../../../test/support/text-provider.js';
import { allowTimeForPrograms } from '../../../test/support/time-limits.ts';
import { coverLetter } from './contract.js';
import { coverLetterHandler } from './run.js';

allowTimeForPrograms();

const ai = useTextProvider();
const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth'];
const jobDescription =
  'Harbour Freight is looking for a backend engineer. You run services on Kubernetes and tune PostgreSQL.';
const run = (pages = resumePages) =>
  recordRun({ files: { resume: resumeFile() }, documents: documentsOf(pages) });

const moved = {
  text: 'At Freightline Systems I moved all services to Kubernetes and wrote their Docker images.',
  resume_quotes: ['Moved all services to Kubernetes and wrote their Docker images'],
  job_quote: 'You run services on Kubernetes',
};
const tuned = {
  text: 'My tuning of PostgreSQL queries cut the slowest report by 85%.',
  resume_quotes: ['tuning of PostgreSQL queries, cutting the slowest report by 85%'],
  job_quote: null,
};

async function letterOf(sentences: object[], { role = 'backend engineer', repaired = false } = {}) {
  const answers = [{ role, paragraphs: [{ sentences }] }, ...(repaired ? [{ lines: [] }] : [])];
  ai.fake.script(...answers.map((answer) => ({ text: JSON.stringify(answer) })));
  const { result, creation } = await coverLetterHandler.withProvider(
    { jobDescription },
    ai.provider,
    run().context,
  );
  expect(creation?.displayName).toBe('Cover letter Mara Lindqvist, Harbour Freight');
  expect(coverLetter.output.omit({ model: true }).parse(result)).toEqual(result);
  return result.content;
}

describe('a letter by a provider', () => {
  it('has a plain frame, and the sources of each sentence', async () => {
    const content = await letterOf([moved, tuned]);
    expect(withoutSources(content)).toBe(`Dear hiring team,

I am applying for the position of backend engineer.

${moved.text} ${tuned.text}

I would be glad to tell you more in a conversation.

Kind regards,\\
Mara Lindqvist
`);
    expect(content).toContain(`2. “${moved.text}”
   - *Resume, page 1:* “Moved all services to Kubernetes and wrote their Docker images”
   - *Job description:* “You run services on Kubernetes”`);
  });

  it.each([
    [
      'claims what only the job has',
      { ...moved, text: 'I tune PostgreSQL on Kubernetes for Harbour Freight.' },
    ],
    [
      'claims a quality by the job alone',
      { text: 'I tune PostgreSQL.', resume_quotes: [], job_quote: 'tune PostgreSQL' },
    ],
    ['praises', { ...moved, text: 'I am a passionate engineer with outstanding services for Kubernetes.' }],
    [
      'says nothing of its source',
      { ...moved, text: 'Teams trusted me during difficult seasons everywhere.' },
    ],
  ])('leaves out a sentence that %s', async (_, sentence) => {
    const content = await letterOf([moved, tuned, sentence], { repaired: true });
    expect(withoutSources(content)).not.toContain(sentence.text);
    expect(content).toContain('1 sentence was left out');
  });

  it('may state what the job asks for', async () => {
    const text = 'Services on Kubernetes and the tuning of PostgreSQL stand in the description.';
    const content = await letterOf([
      { text, resume_quotes: [], job_quote: 'You run services on Kubernetes and tune PostgreSQL' },
      moved,
      tuned,
    ]);
    expect(withoutSources(content)).toContain(text);
  });

  it('names no role that the job description does not have', async () => {
    expect(await letterOf([moved, tuned], { role: 'Chief Technology Officer' })).not.toContain('Chief');
  });

  it('fails as retryable if too little is supported', async () => {
    await expect(letterOf([moved])).rejects.toBeInstanceOf(EngineError);
  });
});

describe('a letter offline', () => {
  it('is a frame with the resume’s own lines, and says so', async () => {
    const recorded = run();
    const { result } = await coverLetterHandler.offline({ jobDescription }, recorded.context);
    expect(recorded.text()).toBe(result.content);
    const letter = withoutSources(result.content);
    expect(letter).toContain('I am applying for the position of backend engineer.');
    expect(letter).toContain('**Freightline Systems, Senior Backend Engineer, Mar 2018 - Present**');
    expect(letter.match(/(?<=^- ).*/gm)).toEqual([
      'I moved all services to Kubernetes and wrote their Docker images.',
      'My work included the tuning of PostgreSQL queries, cutting the slowest report by 85%.',
    ]);
    expect(result.content).toContain('The lines are your own');
  });

  it('copies no line that the review criticises', async () => {
    const poor = [
      '• Responsible for Kubernetes on 20 servers',
      '• Was given the move of all servers to Terraform',
      '• I built Ansible playbooks for 30 teams',
      '• Passionate user of PostgreSQL',
      '• Worked on Kubernetes upgrades and wrote the manuel of them',
    ];
    const pages = [resumePages[0]!.replace(/(?:• .*\n){4}/, `${poor.join('\n')}\n`), ...resumePages.slice(1)];
    const job = 'You need Kubernetes, Terraform and Ansible. PostgreSQL is a plus.';
    const letter = (await coverLetterHandler.offline({ jobDescription: job }, run(pages).context)).result
      .content;
    const lines = withoutSources(letter).match(/(?<=^- ).*/gm) ?? [];
    expect(lines[0]).toBe('My work included Kubernetes on 20 servers.');
    expect(lines).toContain('My work involved Ansible.');
    for (const line of poor) expect(withoutSources(letter)).not.toContain(line.slice(2));
  });

  it('is worded by rules for English if only the first lines are names', async () => {
    const names =
      'Jyväskylä Hämeenlinna Äänekoski Kauppakatu Työväenopisto Yliopisto Suomen Pankki Osuuskunta ';
    const pages = [
      resumePages[0]!
        .replace(/\n/, `\n${names.repeat(11)}\n`)
        .replace(/• .*\n/, '• Responsible for Kubernetes on 20 servers\n'),
      ...resumePages.slice(1),
    ];
    const input = { jobDescription: 'You run services on Kubernetes.' };
    const { result } = await coverLetterHandler.offline(input, run(pages).context);
    expect(withoutSources(result.content)).toContain('My work included Kubernetes on 20 servers.');
  });

  it('uses other lines of the resume when it is written again, if there are any', async () => {
    const lines = Array.from({ length: 8 }, (_, n) => `Moved the ${ordinals[n]} service to Kubernetes`);
    const pages = [resumePages[0]!.replace(/• .*\n/, lines.map((line) => `• ${line}\n`).join(''))];
    const linesOf = (content: string): string[] => withoutSources(content).match(/(?<=^- ).*/gm) ?? [];
    const input = { jobDescription: 'You run services on Kubernetes.' };
    const first = await coverLetterHandler.offline(input, run(pages).context);
    const again = await coverLetterHandler.offline(
      { ...input, exclude: withoutSources(first.result.content) },
      run(pages).context,
    );
    const [before, now] = [linesOf(first.result.content), linesOf(again.result.content)];
    expect([before.length, now.length]).toEqual([6, 6]);
    expect(now.filter((line) => !before.includes(line))).toHaveLength(3);
    expect(before).not.toContain(now[0]);
  });

  it('is refused in a language that this server does not read', async () => {
    const japanese = 'Goの経験者を募集しています。Kubernetesの実務経験3年以上の方を歓迎します。';
    const { context, stages } = run();
    await expect(coverLetterHandler.offline({ jobDescription: japanese }, context)).rejects.toMatchObject({
      code: 'ENGINE_CANNOT',
      message: expect.stringContaining('The job description seems to be in Japanese.') as unknown as string,
    });
    expect(stages).not.toContain('comparing');
  });

  it('leaves the name blank if the resume does not begin with it', async () => {
    const pages = [`Curriculum vitae of an engineer, 2026\n${resumePages[0]}`, ...resumePages.slice(1)];
    const { result } = await coverLetterHandler.offline({ jobDescription }, run(pages).context);
    expect(result.content).toContain('Kind regards,\\\n\\[Your name\\]');
  });
});
