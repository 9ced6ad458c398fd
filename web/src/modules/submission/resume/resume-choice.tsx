import { useLocation } from 'react-router-dom';
import { z } from 'zod';
import type { EngineName } from '#libs/contract/engine.js';
import type { ToolName } from '#libs/tools/catalogue.js';
import { useConfig } from '../../../shared/account/read-config';
import { useFileChoice, type FileChoice } from '../files/use-file-choice';
import { Notice } from '../../../shared/ui/notice';

/** What the link of an earlier result brings. */
const againSchema = z.object({
  again: z.literal(true),
  /** The creation that is made again. */
  beside: z.string().optional(),
});

/** Null for who does not come from an earlier result. */
export const useAgain = () => againSchema.safeParse(useLocation().state).data ?? null;

/** The resume of all tools that take one: chosen in one, it is there in the others. */
export const useResumeChoice = (): FileChoice => useFileChoice('resume', 'pdf');

/** Says to who comes from an earlier result whether the resume is still here, and what to change for another result. */
export function ResumeAgainNotice({ file, tool }: { file: File | null; tool: ToolName }) {
  const again = useAgain();
  const engine = useConfig().data?.tools.find(({ name }) => name === tool)?.engine;
  if (again === null) return null;
  return (
    <Notice tone="note" title={file === null ? 'Choose your resume again' : 'Your resume is still here'}>
      {file === null
        ? 'The server deletes a resume once its result is there. Choose it here again, or a newer one.'
        : `“${file.name}” is still in this browser. Send it as it is, or choose a newer one.`}
      {again.beside !== undefined && sameAgain(tool, engine)}
    </Notice>
  );
}

function sameAgain(tool: ToolName, engine: EngineName | undefined): string {
  if (tool === 'calculate-ats-score')
    return ' The same resume has the same score for the same job; after a change, the two stand side by side.';
  return tool === 'resume-review' && engine === 'offline'
    ? ' The rules of this server give the same result for what has not changed.'
    : '';
}
