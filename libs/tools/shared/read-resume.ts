import { AppError } from '#libs/contract/errors.js';
import type { RunContext } from '#libs/jobs/tool-handler.js';
import { toResume, type Resume } from '#libs/local-engine/resume/resume.js';

/** Reads the PDF of the field `resume`. @throws AppError UNREADABLE_PDF, also for too little text */
export async function readResume(
  context: Pick<RunContext, 'file' | 'documents' | 'userId' | 'signal'>,
): Promise<Resume> {
  const file = await context.file('resume');
  if (!file) throw new AppError('VALIDATION_FAILED', 'Upload your resume as a PDF file.');
  const { pages } = await context.documents.read(context.userId, file, context.signal);
  return toResume(file.name, pages);
}
