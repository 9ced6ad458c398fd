import type { ResumeLine } from './resume.js';
import { foldLetters } from './tokens.js';

const headings = {
  summary: `summary, professional summary, executive summary, career summary, profile, professional profile, personal profile,
    career profile, about, about me, objective, career objective, professional objective, personal statement, overview,
    highlights, career highlights, summary of qualifications, qualifications summary, introduction`,
  experience: `experience, work experience, professional experience, employment, employment history, work history, career history,
    relevant experience, professional background, professional history, job history, positions held, clinical experience,
    teaching experience, industry experience, employment experience, additional experience, selected experience, career,
    internships, internship experience, military experience, research experience, work and experience, experience and projects,
    berufserfahrung, beruflicher werdegang, experience professionnelle, experiences professionnelles, parcours professionnel,
    experiencia, experiencia laboral, experiencia profesional, esperienza, esperienze lavorative, esperienza professionale`,
  education: `education, academic background, academic history, educational background, qualifications, academic qualifications,
    education and training, education and certifications, education and qualifications, studies, degrees, academic record, academics,
    ausbildung, bildung, bildungsweg, studium, schulbildung, akademische ausbildung, formation, formations, etudes, diplomes,
    formacion, formacion academica, educacion, estudios, istruzione, formazione, istruzione e formazione, titoli di studio`,
  skills: `skills, technical skills, core skills, key skills, core competencies, key competencies, competencies, areas of expertise,
    expertise, technologies, technical expertise, professional skills, skills and abilities, skills summary, tools,
    tools and technologies, skills and tools, technical proficiencies, proficiencies, strengths, core strengths, clinical skills,
    computer skills, software skills, soft skills, hard skills, skill set, skills and interests, skills and languages, tech stack,
    additional skills, relevant skills, languages and technologies, software, kenntnisse, fahigkeiten, edv kenntnisse, competences, competencias, habilidades, competenze`,
  projects: `projects, personal projects, selected projects, key projects, side projects, academic projects, portfolio, notable projects`,
  certifications: `certifications, certificates, licenses, licences, licenses and certifications, certifications and licenses,
    licensure, professional certifications, courses, training, training and certifications, professional development, credentials,
    licensure and certifications, certifications and training, coursework, relevant coursework`,
  languages: `languages, language skills, sprachen, langues, idiomas, lingue`,
  awards: `awards, honors, honours, awards and honors, honors and awards, achievements, accomplishments, key achievements,
    recognition, scholarships`,
  volunteering: `volunteering, volunteer experience, volunteer work, community service, community involvement, voluntary work,
    volunteer, extracurricular activities, activities, leadership and activities`,
  publications: `publications, papers, conference papers, presentations, patents, research, publications and presentations`,
  memberships: `memberships, professional memberships, affiliations, professional affiliations, associations`,
  interests: `interests, hobbies, hobbies and interests, personal interests, interests and hobbies`,
  references: `references, referees`,
  contact: `contact, contact information, contact details, personal details, personal information, personal data`,
} as const;

export type SectionKind = keyof typeof headings;

export interface Section {
  kind: SectionKind;
  heading: ResumeLine;
  /** The lines up to the next heading. */
  lines: ResumeLine[];
}

const kinds = new Map<string, SectionKind>(
  (Object.keys(headings) as SectionKind[]).flatMap((kind) =>
    headings[kind].split(/,\s+/).map((heading) => [heading.trim(), kind] as const),
  ),
);

export function findSections(lines: readonly ResumeLine[]): Section[] {
  const sections: Section[] = [];
  for (const line of lines) {
    const kind = sectionKind(line.text);
    if (kind) sections.push({ kind, heading: line, lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections;
}

/** The section that a line is the heading of, or null. Spaced letters ("S K I L L S") are joined. */
export function sectionKind(line: string): SectionKind | null {
  const joined = /^(?:\p{L} ){3,}\p{L}$/u.test(line.trim()) ? line.replaceAll(' ', '') : line;
  const words = foldLetters(joined)
    .replace(/&/g, ' and ')
    .replace(/[^\p{L}\s]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  // "Skills: Python, SQL" is no heading.
  return /\d/.test(line) ? null : (kinds.get(words) ?? null);
}
