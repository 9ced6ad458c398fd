import { describe, expect, it } from '@jest/globals';
import { findSkills, withImplying, skillNamed } from './find-skills.js';
import { skills } from './skills.js';

const named = (text: string) => findSkills(text).map(({ skill }) => skill.name);

describe('the list of skills', () => {
  it('marks only its own terms as ambiguous', () => {
    for (const { name, aliases, ambiguous } of skills)
      expect([name, ...aliases]).toEqual(expect.arrayContaining(ambiguous));
  });

  it('has hundreds of unique skills, and only known skills imply others', () => {
    expect(skills.length).toBeGreaterThan(450);
    expect(new Set(skills.map(({ name }) => name)).size).toBe(skills.length);
    for (const { impliedBy } of skills)
      for (const name of impliedBy) expect([name, skillNamed(name)?.name]).toEqual([name, name]);
  });

  it('has no term for two skills', () => {
    const terms = skills.flatMap(({ name, aliases }) => [name, ...aliases].map((term) => term.toLowerCase()));
    expect(terms.filter((term, index) => terms.indexOf(term) !== index)).toEqual([]);
  });
});

describe('finding skills', () => {
  it.each([
    ['C++, C# and .NET', ['C++', 'C#', '.NET']],
    ['CI/CD with GitHub Actions', ['CI/CD', 'GitHub Actions']],
    ['Node.js, gRPC, R&D', ['Node.js', 'gRPC']],
    ['RDBMS and front-end work', ['Relational databases', 'Front-end development']],
    ['customer relationship\nmanagement', ['Customer relationship management']],
    ['reading of blueprints; wound care', ['Wound care']],
    ['Planned lessons; lesson plans', ['Lesson planning', 'Lesson planning']],
    ['Patient assessments, IV therapy, BLS', ['Patient assessment', 'IV therapy', 'Basic Life Support']],
    ['Accounts payable (AP), month-end closing', ['Accounts payable', 'Accounts payable', 'Month-end close']],
  ])('in %j', (text, expected) => {
    expect(named(text)).toEqual(expected);
  });

  it.each([
    ['Languages: Python, Go, Rust, R, C', ['Python', 'Go', 'Rust', 'R', 'C']],
    ['Built Go services', ['Go']],
    ['experience with Go and Kubernetes', ['Go', 'Kubernetes']],
    ['advanced Excel skills', ['Microsoft Excel']],
  ])('recognises ambiguous ones by case and place: %j', (text, expected) => {
    expect(named(text)).toEqual(expected);
  });

  it.each([
    'You will go far',
    'Go the extra mile',
    'We excel at service',
    'Excel at everything you do',
    'Section C, plan R. C. Smith lives at block R',
    'rust on the express train',
    'Express yourself',
    'the local market',
    'access to word of mouth',
    'Spring is here',
    'an epic view, a swift answer',
  ])('finds none in %j', (text) => {
    expect(named(text)).toEqual([]);
  });

  it('recognises a skill by its aliases in any case', () => {
    expect(skillNamed('postgres')?.name).toBe('PostgreSQL');
    expect(skillNamed('Continuous Integration')?.name).toBe('CI/CD');
    expect(skillNamed('something else')).toBeUndefined();
    const databases = skillNamed('Relational databases');
    expect(databases && withImplying(databases).map(({ name }) => name)).toContain('MySQL');
  });
});
