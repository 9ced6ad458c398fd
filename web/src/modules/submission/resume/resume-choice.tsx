import { useLocation } from 'react-router-dom';
import { z } from 'zod';
import type { EngineName } from '#libs/contract/engine.js';
import type { ToolName } from '#libs/tools/catalogue.js';
import { useConfig } from '../../../shared/account/read-config';
import { useFileChoice, type FileChoice } from '../files/use-file-choice';
import { Notice } from '../../../shared/ui/notice';

/** Navigation state of a link from an earlier result back to the form. */
const repeatSchema = z.object({
  isRepeat: z.literal(true),
  /** ID of the earlier creation, to compare the new result with. */
  earlierId: z.string().optional(),
});

/** @returns null if the user did not come from an earlier result */
export const useEarlierResult = () => repeatSchema.safeParse(useLocation().state).data ?? null;

/** The chosen resume. All tools that take a resume share it. */
export const useResumeChoice = (): FileChoice => useFileChoice('resume', 'resume');

/** For users who come from an earlier result: says whether the resume is still stored, and how to get another result. */
export function RepeatResumeNotice({ file, tool }: { file: File | null; tool: ToolName }) {
  const repeat = useEarlierResult();
  const engine = useConfig().data?.tools.find(({ name }) => name === tool)?.engine;
  if (repeat === null) return null;
  return (
    <Notice tone="note" title={file === null ? 'Choose your resume again' : 'Your resume is still here'}>
      {file === null
        ? 'Resumes are deleted from the server when the result is ready. Choose it again, or a newer version.'
        : `“${file.name}” is still in this browser. Send it as it is, or choose a newer one.`}
      {repeat.earlierId !== undefined && sameInputText(tool, engine)}
    </Notice>
  );
}

function sameInputText(tool: ToolName, engine: EngineName | undefined): string {
  if (tool === 'calculate-ats-score')
    return ' The same resume gets the same score for the same job. After a change, you can compare the two.';
  return tool === 'resume-review' && engine === 'offline'
    ? ' This server gives the same result for unchanged input.'
    : '';
}
