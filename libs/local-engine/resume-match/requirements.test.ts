import { describe, expect, it } from '@jest/globals';
import { findOriginalText } from './original-text.js';
import { readJobClauses } from './job-clauses.js';
import { findRequirements } from './requirements.js';

const now = new Date('2025-06-01T00:00:00Z');

const requirements = (job: string, resume: string) =>
  findRequirements(readJobClauses(job), findOriginalText([resume], job), now);

const verdicts = (job: string, resume: string) => requirements(job, resume).map(({ met }) => met);

/** Nine years of work, seven of them with Go, two with Java. */
const engineer = `Mara Lindqvist
Summary
Backend engineer for booking systems
Experience
Freightline Systems, Senior Backend Engineer, Mar 2018 - Present
• Built Go services that book 40,000 shipments a day
• Moved them to Kubernetes and PostgreSQL, with Terraform for AWS
Nordpost, Software Developer, Jan 2014 - Jun 2016
• Maintained a Java application for parcel labels
• Wrote unit tests for the label printer
Education
BSc Computer Science, Uppsala University, 2010 - 2013
Skills
Go, Java, SQL, Scala, Docker`;

const nurse = `Amina Yusuf
Work Experience
Registered Nurse
St. Luke's Hospital
06/2019 - Present
Cared for up to 14 patients a shift on a surgical ward.
Trained six new nurses in wound care.
Waiter
Café Lumen
2012 - 2019
Served guests in a restaurant with 80 seats.
Education
Diploma in Nursing, 2016 - 2019`;

describe('years of experience', () => {
  it.each([
    // A technology that is not in the resume.
    ['5+ years of Ruby', engineer, false],
    ['5+ years of experience with C#', engineer, false],
    ['Minimum 3 years of Salesforce administration', engineer, false],
    ['At least four years working with React', engineer, false],
    ['Rust: 3+ years', engineer, false],
    ['Strong Kotlin experience (5+ years)', engineer, false],
    ['3 years of LaunchDarkly', engineer, false],
    ['5+ years of java', nurse, false],
    // Years of the positions that name it, not of all.
    ['5+ years of Java', engineer, false],
    ['2+ years of Java', engineer, true],
    ['5+ years of Go', engineer, true],
    ['8+ years of Go experience', engineer, false],
    ['Java or Go developer with 5+ years of experience', engineer, true],
    ['5+ years of experience with Java and Go', engineer, false],
    ['5+ years of experience with Java or Go', engineer, true],
    ['7 years’ experience in backend development using Go', engineer, true],
    ['7 years’ experience in backend development using Java', engineer, false],
    ['5+ years with relational databases', engineer, true],
    ['3 years with infrastructure as code', engineer, true],
    // In the list of skills alone.
    ['5+ years of Scala', engineer, null],
    // Work of any kind.
    ['5+ years of experience', engineer, true],
    ['10+ years of professional experience', engineer, false],
    ['Minimum of five (5) years of relevant work experience required', engineer, true],
    ['3-5 years of experience, Java and Docker', engineer, true],
    ['You have 9 years of experience and strong knowledge of Java', engineer, true],
    // A field, in other words than the resume's.
    ['5+ years of experience in logistics', engineer, null],
    ['12 years of experience in logistics', engineer, false],
    ['5 years as a registered nurse', nurse, true],
    ['8 years as a registered nurse', nurse, false],
    ['2+ years of wound care', nurse, true],
    // A field by what those who work in it are called.
    ['At least three years of professional software development experience', engineer, true],
    ['12 years in software engineering', engineer, false],
    ['3 years of nursing experience', nurse, true],
    ['2+ years of experience in a surgical ward', nurse, true],
  ])('%s', (job, resume, met) => {
    expect(verdicts(job, resume)).toEqual([met]);
  });

  it.each([
    'We have 20 years of experience in logistics.',
    'Our company was founded 15 years ago.',
    'Applicants must be at least 18 years of age.',
    'A 3-year contract with a 2 year warranty.',
    'Over the past 5 years we doubled our revenue.',
    'Join a firm with over 30 years in business.',
  ])('are not asked for by %j', (job) => expect(requirements(job, engineer)).toEqual([]));

  it('are separate requests in one sentence', () => {
    expect(verdicts('5+ years of Go and 3+ years of Java', engineer)).toEqual([true, false]);
    expect(
      requirements('5+ years of Go and 3+ years of Java', engineer).map(({ note, resume }) => [note, resume]),
    ).toEqual([
      [
        'The dated positions that name Go cover 7 full years.',
        { quote: 'Built Go services that book 40,000 shipments a day', page: 1 },
      ],
      [
        'The dated positions that name Java cover 2 full years.',
        { quote: 'Maintained a Java application for parcel labels', page: 1 },
      ],
    ]);
  });

  it('may be replaced where the job says so', () => {
    expect(verdicts('Master’s degree or 12 years of experience', engineer)).toEqual([null, null]);
  });

  it('are undecided if the resume claims more than its dates show', () => {
    const claims = engineer.replace('Backend engineer for booking systems', 'Engineer with 6 years of Java');
    expect(verdicts('5+ years of Java', claims)).toEqual([null]);
    expect(verdicts('8+ years of Java', claims)).toEqual([false]);
  });

  it.each([
    [
      'the dates before the position',
      `Experience\n2018 - Present\nDeveloper, Freightline\n• Wrote Python services\n2014 - 2016\nDeveloper, Nordpost\n• Wrote Java`,
    ],
    [
      'the dates below the position',
      `Experience\nDeveloper\nFreightline\n2018 - Present\n• Wrote Python services\nDeveloper\nNordpost\n2014 - 2016\n• Wrote Java`,
    ],
    [
      'dates like 2018-03',
      `Experience\nFreightline, 2018-03 - Present\n• Wrote Python services\nNordpost, 2014-01 - 2016-12\n• Wrote Java`,
    ],
    [
      'dates like Mar ’18',
      `Experience\nFreightline, Mar ’18 – Present\n• Wrote Python services\nNordpost, Jan '14 – Dec '16\n• Wrote Java`,
    ],
    [
      '“since”',
      `Experience\nSince 2018\nDeveloper, Freightline\n• Wrote Python services\n2014 to 2016\nDeveloper, Nordpost\n• Wrote Java`,
    ],
  ])('are counted with %s', (_, resume) => {
    expect(verdicts('5+ years of Python', resume)).toEqual([true]);
    expect(verdicts('3+ years of Java', resume)).toEqual([true]);
    expect(verdicts('5+ years of Java', resume)).toEqual([false]);
  });

  it('do not count for a skill that the resume only plans to learn, or copies', () => {
    const eager = engineer.replace('Wrote unit tests', 'Eager to learn Ruby and wrote unit tests');
    expect(verdicts('2+ years of Ruby', eager)).toEqual([false]);
    const job = `You bring 5+ years of Ruby and have run large Ruby services in production for many of our customers`;
    const copied = engineer.replace('• Wrote unit tests', `• ${job}\n• Wrote unit tests`);
    expect(verdicts(job, copied)).toEqual([false]);
  });
});

const withDegree = (line: string) => `Anna Weber
Experience
Musterfirma, Engineer, Mar 2018 - Present
• Mentored two PhD students and a Scrum Master
Education
${line}
Skills
MS Office, Excel`;

describe('degrees', () => {
  it.each([
    'MA History, University of Leeds, 2012',
    'M.A. in Linguistics, 2012',
    'History, MA, 2012',
    'Magister Artium, Universität Wien, 2009',
    'Mag. phil., Universität Graz',
    'MSc Physics, ETH Zürich',
    'M.Sc. Informatik, TU München, 2015',
    'Master of Business Administration, 2014',
    'MBA, INSEAD, 2014',
    'Executive MBA, 2014',
    'MEng Mechanical Engineering, Imperial College',
    'Master in Computer Science, EPFL',
    'Masters in Public Health, 2011',
    'LL.M., King’s College London',
    'MPhil in Economics',
    'Laurea magistrale in Ingegneria, Politecnico di Milano',
    'Zweites Staatsexamen, 2010',
    'Erstes juristisches Staatsexamen, Köln',
    'Mestrado em Direito, Lisboa',
    'Máster en Marketing, Madrid',
    'mgr inż., Politechnika Warszawska',
    'Civilingenjör, KTH',
    'Ph.D. in Chemistry, 2016',
    'PhD Chemistry, 2016',
    'Dr. rer. nat., Universität Bonn',
    'Dr.-Ing., RWTH Aachen',
    'DPhil, University of Oxford',
    'Doctor of Philosophy, 2016',
  ])('%s is enough for a master’s', (line) => {
    expect(verdicts('Master’s degree required', withDegree(line))).toEqual([true]);
    expect(verdicts('Bachelor’s degree required', withDegree(line))).toEqual([true]);
  });

  it.each([
    'BA English Literature, 2012',
    'B.A. (Hons) Philosophy, 2012',
    'Bachelor of Science in Nursing, 2012',
    'BEng Civil Engineering',
    'B.Tech., IIT Delhi',
    'LLB, University of Exeter',
    'Licence en droit, Université de Lyon',
    'Licence de mathématiques, Paris',
    'Licence Informatique, Université de Lyon',
    'Filosofie kandidat, Uppsala universitet',
    'BSN, University of Leeds',
    'Laurea triennale in Lettere, Bologna',
    'Grado en Psicología, Sevilla',
    'Kandidatexamen i ekonomi, Lund',
    'Diplom-Ingenieur (FH), Hochschule Mannheim',
  ])('%s is a bachelor’s', (line) => {
    expect(verdicts('Bachelor’s degree required', withDegree(line))).toEqual([true]);
    expect(verdicts('Master’s degree required', withDegree(line))).toEqual([false]);
  });

  it.each([
    'Diplom-Ingenieur, TU Dresden, 2008',
    'Dipl.-Ing. Maschinenbau, 2008',
    'Diplom Informatik, Universität Ulm',
    'Dipl.-Kfm., Universität Köln',
    'Laurea in Economia, Roma, 1999',
    'Licenciatura en Historia, Granada',
    'Kandidat i datalogi, Københavns Universitet',
  ])('%s counts as a master’s', (line) => {
    expect(verdicts('Bachelor’s degree required', withDegree(line))).toEqual([true]);
    expect(verdicts('Master’s degree required', withDegree(line))).toEqual([null]);
  });

  it.each([
    'Boston University, Boston, MA 02215',
    'High school, Cambridge, MA',
    'Certified Scrum Master, 2019',
    'Diploma in Welding, 2012',
    'MS Office certificate',
    'Apprenticeship as a baker, Baltimore, MD',
    'Driving licence',
    'Licence plate service, Leeds',
    'Webmaster course, 2012',
  ])('%s is none', (line) => {
    expect(verdicts('Bachelor’s degree required', withDegree(line))).toEqual([false]);
  });

  it('are found after a name', () => {
    const titled = (name: string) => withDegree('Welding course, 2012').replace('Anna Weber', name);
    expect(verdicts('Master’s degree required', titled('Dr. Anna Weber'))).toEqual([true]);
    expect(verdicts('Master’s degree required', titled('Anna Weber, MBA'))).toEqual([true]);
    expect(verdicts('Master’s degree required', titled('Anna Weber, MA'))).toEqual([true]);
    expect(verdicts('Master’s degree required', titled('Anna Weber | Boston, MA'))).toEqual([false]);
  });

  it('are unfinished while they are expected', () => {
    expect(verdicts('Bachelor’s degree required', withDegree('BSc Biology, expected 2027'))).toEqual([null]);
    expect(verdicts('Bachelor’s degree required', withDegree('BSc Biology, expected 2019'))).toEqual([true]);
    expect(verdicts('PhD required', withDegree('PhD candidate, Lund'))).toEqual([null]);
  });

  it.each([
    ['BA/BS in a related field', 'BA History', true],
    ['Degree in computer science or equivalent experience', 'Welding course', null],
    ['A degree in biology', 'BSc Biology', true],
    ['BS or MS degree in Engineering', 'BEng Civil Engineering', true],
    ['Doctorate in physics', 'MSc Physics', false],
    ['University degree required', 'Magister, Wien', true],
  ])('%s is asked for', (job, line, met) => {
    expect(verdicts(job, withDegree(line))).toEqual([met]);
  });

  it.each([
    'Office in Boston, MA',
    'Good knowledge of MS Office',
    'You will help our PhD students',
    'Scrum Master',
  ])('%s asks for none', (job) => expect(requirements(job, withDegree('BA History'))).toEqual([]));
});
