import { describe, expect, it } from '@jest/globals';
import { compareOffline } from './compare.js';
import { languageLimits } from './language-limits.js';
import { findOriginalText } from './original-text.js';
import { postingText } from './posting-text.js';

const now = new Date('2026-06-01T00:00:00Z');

function compare(job: string, resume: string) {
  const posting = postingText(job);
  return compareOffline(findOriginalText([resume], posting), posting, now);
}
const limitsOf = (job: string, resume: string) =>
  languageLimits(postingText(job), findOriginalText([resume], postingText(job)).context);
const verdicts = (job: string, resume: string) =>
  Object.fromEntries(compare(job, resume).skills.map(({ name, match }) => [name, match]));
const names = (job: string) => Object.keys(verdicts(job, 'A resume'));

const german = `Jana Krüger
Profil
Buchhalterin mit mehr als sieben Jahren Erfahrung im Baugewerbe, arbeitet genau und gern im Team.
Berufserfahrung
Buchhalterin, Rheinbau GmbH · 03/2017 – heute
• Debitoren- und Kreditorenbuchhaltung für vier Gesellschaften mit DATEV und SAP
• Umsatzsteuervoranmeldungen und Jahresabschlüsse nach HGB erstellt
Ausbildung
Ausbildung zur Steuerfachangestellten, Köln, 2010 – 2013
Kenntnisse
Excel (sehr gut), Lexware, Englisch B2`;

const headed = (language: keyof typeof postings) => postings[language];
const postings = {
  German: `Buchhalter (m/w/d)
Ihr Profil
- Mindestens 3 Jahre Berufserfahrung in der Finanzbuchhaltung
- Abgeschlossene kaufmännische Ausbildung
- Umsatzsteuer, Englisch
- SAP ist von Vorteil, Power BI ist nicht erforderlich
Wir bieten
- Kurse in Salesforce`,
  French: `Comptable H/F
Votre profil
Diplôme
- Vous avez 5 ans d'expérience en comptabilité et vous maîtrisez Excel
- Anglais courant, déclarations de TVA
- La connaissance de SAP serait un plus
Nous offrons
- Des cours de Salesforce`,
  Spanish: `Contable para nuestra oficina
Requisitos
- Mínimo 3 años de experiencia en contabilidad
- Inglés, declaraciones de IVA y manejo de Excel
- Se valorará SAP
Ofrecemos
- Formación en Salesforce`,
  Italian: `Addetto alla contabilità
Requisiti
- Almeno 3 anni di esperienza nella contabilità
- Conoscenza dell'inglese, liquidazioni IVA, uso di Excel
- SAP costituisce titolo preferenziale
Offriamo
- Formazione su Salesforce per il nostro team`,
  Portuguese: `Contabilista para a nossa equipa
Requisitos
- Pelo menos 3 anos de experiência em contabilidade
- Inglês, declarações de IVA e domínio de Excel
- SAP é uma mais-valia
Oferecemos
- Formação em Salesforce`,
  Dutch: `Boekhouder voor ons kantoor
Functie-eisen
- Minimaal 3 jaar ervaring in de boekhouding
- Je spreekt Engels, doet btw-aangiften en kent Excel
- SAP is een pré
Wij bieden
- Een cursus Salesforce`,
  Polish: `Księgowa do naszego biura
Wymagania
- Co najmniej 3 lata doświadczenia w księgowości
- Znajomość języka angielskiego, deklaracje VAT i obsługa Excela
- Mile widziana znajomość SAP
Oferujemy
- Szkolenia z Salesforce`,
};

describe('a job description in another language', () => {
  it.each(Object.keys(postings) as (keyof typeof postings)[])(
    'in %s is compared with a German resume',
    (language) => {
      const { skills, requirements } = compare(headed(language), german);
      const found = new Map(skills.map(({ name, importance, match }) => [name, { importance, match }]));
      expect(found.get('Value added tax')?.match).toBe(true);
      expect(found.get('English')?.match).toBe(true);
      expect(found.get('SAP')).toEqual({ importance: 'preferred', match: true });
      expect(found.has('Salesforce') || found.has('Power BI')).toBe(false);
      // Headings such as "Ihr Profil" and "Diplôme" are no skills.
      for (const { name } of skills) expect(name).not.toMatch(/profil|dipl|requisit|eisen|wymagania/i);
      expect(requirements.find(({ kind }) => kind === 'experience')?.met).toBe(true);
      expect(limitsOf(headed(language), german)).toBeNull();
    },
  );

  it('has degrees of its country', () => {
    const [, degree] = compare(postings.German, german).requirements;
    expect(degree).toMatchObject({ kind: 'education', met: true });
  });

  it.each([
    ['Japanese', '経理担当者を募集しています。日商簿記2級以上、Excelの実務経験3年以上の方を歓迎します。'],
    [
      'Norwegian',
      'Vi søker regnskapsfører med minst 3 års erfaring og god kjennskap til Visma og norske skatteregler.',
    ],
    ['Russian', 'Требуется бухгалтер с опытом работы от трёх лет, знание Excel и 1С обязательно.'],
    ['Korean', '회계 담당자를 모집합니다. 엑셀 실무 경험 3년 이상인 분을 환영합니다.'],
    ['Arabic', 'نبحث عن محاسب لديه خبرة ثلاث سنوات على الأقل في إعداد التقارير المالية.'],
    [
      'Czech',
      'Hledáme účetní se zkušenostmi s daněmi a mzdami, požadujeme pečlivost při práci a znalost předpisů.',
    ],
  ])('in %s cannot be judged', (language, job) => {
    expect(limitsOf(job, german)).toContain(`seems to be in ${language}`);
  });

  it('is compared with a resume in English', () => {
    const resume = `Accountant since 2015. I prepare VAT returns and the month-end close with DATEV for three firms.`;
    expect(
      verdicts('Wir suchen Sie: Umsatzsteuervoranmeldungen und Monatsabschlüsse mit DATEV', resume),
    ).toEqual({
      'Value added tax': true,
      'Month-end close': true,
      DATEV: true,
    });
  });
});

describe('the level of a language', () => {
  it.each([
    ['Englisch C1', 'Englisch B2', 0.5],
    ['Englischkenntnisse (mindestens B2)', 'Englisch: C1', 1],
    ['Englisch B2/C1', 'Englisch B2', 1],
    ['Englisch C1', 'Englisch B2/C1', 1],
    ['Englisch C1', 'Englisch (fließend)', 1],
    ['Englisch C1 oder Französisch C1', 'Englisch A2, Französisch C2', 1],
    ['Englisch', 'Englisch A2', 1],
  ])('%j, with %j in the resume, counts %d', (asked, shown, credit) => {
    const job = `Wir suchen für unser Team eine Buchhalterin mit Erfahrung.\nAnforderungen\n- ${asked}`;
    const resume = `Ich bin Buchhalterin in Köln und arbeite gern im Team.\nSprachen\n${shown}`;
    const english = compare(job, resume).skills.find(({ name }) => name.includes('English'));
    expect(english).toMatchObject({ match: true, credit });
    expect(english?.feedback.includes('asks for C1')).toBe(credit < 1);
  });
});

describe('words that are also skills', () => {
  it.each([
    ['We rest on Fridays, react quickly and go far. You must know Docker.', ['Docker']],
    ['Docker\nREST OF THE WORLD TEAM', ['Docker']],
    ['We trade in concrete examples. Docker', ['Docker']],
    ['Requirements:\n- R\n- F#\n- C++\n- .NET', ['R', 'F#', 'C++', '.NET']],
    ['Data skills: python, sql, r, excel', ['Python', 'SQL', 'R', 'Microsoft Excel']],
    ['Nice to have: spark, go', ['Apache Spark', 'Go']],
    ['AWS/GCP/Azure', ['AWS or Google Cloud or Microsoft Azure']],
    ['TypeScript, React or Angular', ['TypeScript', 'React or Angular']],
    ['HTML/CSS', ['HTML', 'CSS']],
    ['Tools such as Jira, Trello', ['Jira or Trello']],
    ['Figma, Sketch or similar', ['Figma or Sketch']],
    ['Our CRM (Salesforce) is yours', ['Customer relationship management', 'Salesforce']],
    ['At Stripe we write Java. Stripe is looking for you.', ['Java']],
    ['Puppet Inc. uses Java', ['Java']],
    ['You are great at Python and learn about Rust. Python, Rust', ['Python', 'Rust']],
    ['Redis is the backbone of our platform.\nRequirements:\n- Redis\n- Docker', ['Redis', 'Docker']],
    ['GitLab is a growing software company.\nRequirements:\n- Docker', ['Docker']],
    ['KS2 and PGCE', ['Key Stage 2', 'Teaching license']],
    ['<ul><li>C++ &amp; Rust</li><li>Docker</li></ul><style>.go{}</style>', ['C++', 'Rust', 'Docker']],
  ])('in %j', (job, expected) => {
    expect(names(job).sort()).toEqual([...expected].sort());
  });

  it('name a profession where a text is about a kitchen', () => {
    expect(names('Chef\nYou cook, plan menus and express yourself. HACCP')).not.toContain('Chef');
    expect(names('Chef, Ansible and Docker')).toContain('Chef');
  });
});

describe('the words around a skill in a resume', () => {
  const job = 'Requirements: Java, Kubernetes, Rust, Terraform, Angular, Docker, PyTorch';
  it.each([
    ['I have no experience with Java, Kubernetes or Angular.', []],
    ['Wish to learn: Kubernetes, Terraform. Built Docker images.', ['Docker']],
    ['Currently learning Rust; basic interest in Terraform', []],
    ['Learning: Rust. Machine learning: PyTorch', ['PyTorch']],
    ['No Java, but Docker', ['Docker']],
    ['Not only Java', ['Java']],
    ['Docker (learning), Rust', ['Rust']],
    ['Eager to pick up Kubernetes and Docker', []],
    ['Replaced a Java shop. I do not know Java.', []],
    ['Travelled to Java Island with Docker', ['Docker']],
    ['Keine Erfahrung mit Java und Angular, aber mit Docker', ['Docker']],
    ["Je n'ai aucune expérience avec Java mais j'utilise Docker", ['Docker']],
  ])('%j', (resume, matched) => {
    const found = Object.entries(verdicts(job, `Engineer\n${resume}`)).flatMap(([name, match]) =>
      match ? [name] : [],
    );
    expect(found.sort()).toEqual([...matched].sort());
  });

  it.each([
    ['Led a team of five', true],
    ['Hired two engineers', true],
    ['Managed 5 people', true],
    ['Mentored two juniors', true],
    ['Leitete ein Team von fünf Mitarbeitern in der Buchhaltung und war für alles da', true],
    ['Led the move of 12 services to new machines', false],
    ['Managed product catalogues', false],
  ])('%j shows leadership: %s', (resume, isShown) => {
    expect(verdicts('Requirements: leadership', `Engineer\n${resume}`)).toMatchObject({
      Leadership: isShown,
    });
  });
});

it('takes no kind of university and no fluent English in a German posting for a skill', () => {
  const found = names(`Konstrukteur (m/w/d)
Ihr Profil
- Studium Maschinenbau (FH/TU/DH) oder Techniker
- SolidWorks
- Verhandlungssicheres Englisch`);
  expect(found).toContain('English');
  expect(found).not.toContain('Negotiation');
  expect(found.join()).not.toContain('FH');
});
