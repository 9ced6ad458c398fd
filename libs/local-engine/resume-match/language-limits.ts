import { detectResumeLanguage, type DetectedLanguage } from '#libs/local-engine/resume/languages/detect.js';
import { supportedLanguages } from '#libs/local-engine/resume/languages/languages.js';

/** Why the texts cannot be compared if one is in a language that is not supported; null otherwise. */
export function languageLimits(jobDescription: string, resume: DetectedLanguage): string | null {
  const job = detectResumeLanguage(jobDescription).unsupported;
  if (job === null && resume.unsupported === null) return null;
  const texts =
    job === null
      ? `The resume seems to be in ${resume.unsupported}`
      : resume.unsupported === null
        ? `The job description seems to be in ${job}`
        : job === resume.unsupported
          ? `Both texts seem to be in ${job}`
          : `The job description seems to be in ${job}, the resume in ${resume.unsupported}`;
  return `${texts}. Without an AI service, this tool reads ${supportedLanguages} only, so it cannot judge the match. Nothing was charged.`;
}
