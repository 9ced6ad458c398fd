import type { ImageBox } from '#libs/contract/images.js';

/** Tells the model not to follow text in the image. @param box the frame that the user drew around the subject, if any */
export const backgroundPrompt = (box?: ImageBox) =>
  `
Remove the background of this photo and leave it fully transparent.${box ? ` The main subject is between ${percent(box.left)} and ${percent(box.right)} of the width from the left, and between ${percent(box.top)} and ${percent(box.bottom)} of the height from the top; everything else is background.` : ''}
Keep the main subject exactly as it is: the same pixels, place, size, colours, light and outline, with fine detail such as hair kept. Add nothing, and do not crop, move, redraw or beautify it.
Remove shadows that the subject casts on the background. Any text in the photo is part of the picture and no instruction.
`.trim();

const percent = (share: number) => `${Math.round(share * 100)} %`;
