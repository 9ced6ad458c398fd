import { describe, expect, it } from '@jest/globals';
import { toResume } from '#libs/local-engine/resume/resume.js';
import { cpuTimeOf } from '../../../test/support/cpu-time.js';
import { allowTimeForPrograms } from '../../../test/support/time-limits.js';
import { inEnglishWithForeignNames, resumePages } from '../../../test/support/resumes.js';
import { atsPairs } from '../../../scripts/quality/ats/pairs.ts';
import { correctText, loadChecker, proofreadResume, proofreadText } from './thread.js';

// Loading the checker computes for seconds.
allowTimeForPrograms();

const faultsOf = async (text: string) =>
  ((await proofreadText({ text }))?.faults ?? []).map(({ quote, suggestions }) => [quote, suggestions[0]]);

const resumeFaults = async (...lines: string[]) => {
  const pages = [`${resumePages[0]}\n${lines.map((line) => `• ${line}`).join('\n')}`, resumePages[1] ?? ''];
  return (await proofreadResume({ resume: toResume('mara.pdf', pages) }))?.faults ?? [];
};

describe('the faults of a text', () => {
  it.each([
    ['He go to school every day.', 'go', 'goes'],
    ['I am recieving many letters.', 'recieving', 'receiving'],
    ['There is a problem with a apple.', 'a', 'an'],
    ['It could of been saved.', 'could of', 'could have'],
    ['We sat in the the garden.', 'the the', 'the'],
    ['They was happy about it.', 'was', 'were'],
    ['I have went home already.', 'went', 'gone'],
    ['She dont like the rain.', 'dont', "don't"],
    ['This is 😀 **realy** good for everybody.', 'realy', 'really'],
    ['It is definately the best of them.', 'definately', 'definitely'],
    ['What you thinked was right.', 'thinked', 'thought'],
    ['We beleive in slow food.', 'beleive', 'believe'],
  ])('%s', async (text, quote, suggestion) => {
    expect(await faultsOf(text)).toContainEqual([quote, suggestion]);
  });

  it.each([
    'We moved from Jenkins to kubectl, nginx, turbopack and PostgreSQL at Freightline.',
    'Siobhan Ní Dhomhnaill met Thandiwe Mbeki and Mara Lindqvist at Zühlke in Łódź.',
    'Write to teh.person@exmaple.com or see https://exmaple.com/teh/paeg and readme.md now.',
    '# Teh heading with mistaks\n\n`teh code` stays, and so does a table.\n\n| teh | cel |\n|---|---|\n| a | b |',
    'They organised the colour labelling programme and analysed behaviour in the centre.',
    'He said: “thats how we does it”, and left.',
    '[teh link](https://a.example) is here.',
    'Wir haben den Dienst neu gebaut und die Kosten um ein Drittel gesenkt, was alle Kunden sehr gefreut hat, denn sie zahlen nun weniger als zuvor.',
    'A microservice reads dataframes with OAuth2 tokens, S3 and HTTP/2.',
    'The meeting took 50 ms, said Ms. O’Brien.',
    'Tea, coffee and milk are ready; sit down.',
  ])('has none: %s', async (text) => {
    expect(await faultsOf(text)).toEqual([]);
  });

  it('have their words and line', async () => {
    expect(await proofreadText({ text: 'All is well.\n\nBut we was late for the train to Lyon.' })).toEqual({
      isWhole: true,
      faults: [
        {
          kind: 'grammar',
          quote: 'was',
          context: 'But we was late for the train to Lyon.',
          message: 'Make the verb agree with its subject.',
          suggestions: ['were'],
          line: 3,
        },
      ],
    });
  });

  it.each([
    ['one word', 'abcdefghij'.repeat(2_000)],
    ['Chinese', '漢字'.repeat(10_000)],
    ['JSON', '{"a":['.repeat(3_000)],
  ])('are found soon next to a long run of %s', async (_, run) => {
    await loadChecker();
    const read = async () =>
      expect(await faultsOf(`We was late for ${run} and it dont matter.`)).toEqual([
        ['was', 'were'],
        ['dont', "don't"],
      ]);
    expect(await cpuTimeOf(1_000, read)).toBeLessThan(1_000);
  });

  it('are checked in the first part of a long text', async () => {
    const long = `${'All is well here. '.repeat(2_400)}We was late.`;
    expect(await proofreadText({ text: long })).toEqual({ faults: [], isWhole: false });
  });
});

describe('the faults of a resume', () => {
  it('are found in its sentences, with page, line and section', async () => {
    expect(await resumeFaults('Recieved an award for the best', 'Kept it running with Terrafrom')).toEqual([
      {
        kind: 'spelling',
        quote: 'Recieved',
        context: 'Recieved an award for the best',
        message: expect.any(String) as unknown as string,
        suggestions: expect.arrayContaining(['Received']) as unknown as string[],
        page: 1,
        line: 14,
        section: 'Experience',
      },
    ]);
  });

  it('are not looked for in the short lines of a resume in another language', async () => {
    const page = `Currículo
João Conceição, São Paulo, joao@example.com.br
Experiência profissional
Analista de Dados, Nubank, jan/2020 – atual
Modelagem em SQL e dbt para 12 milhões de clientes
Painéis no Power BI usados por 300 pessoas da empresa
Formação
Bacharelado em Estatística, Universidade de São Paulo, 2015 – 2019
Habilidades: SQL, Python, Power BI, inglês avançado e bom trabalho em equipe com outras áreas`;
    expect((await proofreadResume({ resume: toResume('joao.pdf', [page]) }))?.faults).toEqual([]);
  });

  it('are found in the short lines of an English resume with many foreign names', async () => {
    const resume = toResume('agnieszka.pdf', [inEnglishWithForeignNames]);
    expect((await proofreadResume({ resume }))?.faults).toMatchObject([{ quote: 'Recieved' }]);
  });

  it('do not occur in good resumes', async () => {
    for (const { strong, partial } of atsPairs) {
      for (const text of [strong, partial]) {
        const lines = text.split('\n').map((line, index) => ({ page: 1, line: index + 1, text: line }));
        const resume = { fileName: 'a.pdf', pages: [text], lines, text, words: 100, columns: [] };
        expect((await proofreadResume({ resume }))?.faults).toEqual([]);
      }
    }
  });
});

describe('a corrected text', () => {
  it('has the best suggestion for each fault, and is otherwise unchanged', async () => {
    const text = '# Teh title\n\nHe go to `teh` school.\n\n- We beleive in it.\n';
    expect(await correctText({ text })).toEqual({
      text: '# Teh title\n\nHe goes to `teh` school.\n\n- We believe in it.\n',
      corrections: 2,
    });
  });
});
