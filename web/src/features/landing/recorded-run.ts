export const recordedRun = {
  topic: 'What sourdough teaches about patience',
  millisecondsPerCharacter: 17,
  lines: [
    { kind: 'title', text: 'What sourdough teaches about patience' },
    {
      kind: 'text',
      text: 'The jar on the counter does nothing for six hours. Then, while you look elsewhere, it doubles.',
    },
    { kind: 'heading', text: 'A schedule that is not yours' },
    {
      kind: 'text',
      text: 'Flour and water keep their own time. You can feed a starter, warm it and wait for it. You cannot hurry it.',
    },
    {
      kind: 'text',
      text: 'Bakers learn to read the dough instead of the clock: the dome, the bubbles at the edge, the slow spring under a thumb.',
    },
  ],
} as const;
