import type { ToolHandler } from '#libs/jobs/tool-handler.js';
import {
  noMatchingLines,
  nothingSupported,
  readResumeForJob,
  readResumeForJobOffline,
  textForJob,
  withPlainPosting,
  writeClaims,
} from '../shared/resume-claims/text-for-job.js';
import { bulletsInstructions, bulletsSchema } from './prompt.js';
import { tailoredBullets } from './contract.js';
import { renderBullets, type Bullet } from './render.js';

const creation = { type: tailoredBullets.creation.type, promptPrefix: 'Tailored bullets of' };

export const tailoredBulletsHandler: ToolHandler<'tailored-bullets'> = {
  async withProvider(request, provider, context) {
    const input = withPlainPosting(request);
    const read = await readResumeForJob(input, context);
    const { checked } = await writeClaims(
      {
        name: 'tailored_bullets',
        instructions: bulletsInstructions,
        schema: bulletsSchema,
        kind: 'bullet',
        messages: { writing: 'Wording the bullets', checking: 'Checking each line against your resume' },
        claimsOf: ({ bullets }) => bullets,
      },
      input,
      read,
      provider,
      context,
    );
    const supported = checked.filter((claim) => claim !== null);
    if (supported.length === 0) throw nothingSupported('line');
    const content = renderBullets(supported, read.selection.missing, {
      engine: 'openai',
      dropped: checked.length - supported.length,
    });
    return textForJob({ ...creation, content, engine: 'openai' }, input, read, context);
  },

  async offline(request, context) {
    const input = withPlainPosting(request);
    const read = await readResumeForJobOffline(input, context);
    const { statements, missing } = read.selection;
    if (statements.length === 0) throw noMatchingLines();
    const bullets = statements.map(({ text, page, position, shows }): Bullet => ({
      text,
      resume: [{ text, page }],
      job: shows[0]?.quote ?? null,
      position,
    }));
    const content = renderBullets(bullets, missing, { engine: 'offline', dropped: 0 });
    return textForJob({ ...creation, content, engine: 'offline' }, input, read, context);
  },
};
