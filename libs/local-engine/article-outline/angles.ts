/** A way to tell any subject, which makes one outline of a topic another article than the next. */
export interface Angle {
  name: string;
  /** What to do throughout. */
  advice: string;
  /** One for each of the sections after the opening, as far as they go. */
  ask: readonly [string, string, string, string];
}

export const angles: readonly Angle[] = [
  {
    name: 'one case throughout',
    advice: 'Follow one person, place or object from the first section to the last.',
    ask: [
      'Where does your case stand at this point?',
      'What did those in it see, hear and say?',
      'What would have happened to them without it?',
      'In what is your case unlike the others?',
    ],
  },
  {
    name: 'by the numbers',
    advice: 'Open each section with a figure that you have checked, and say what it means for the reader.',
    ask: [
      'Which figure carries this section, and who counted it?',
      'What is the figure to be compared with?',
      'How much is that for one reader, in a day or a year?',
      'Which number is often quoted here and seldom checked?',
    ],
  },
  {
    name: 'from doubt to answer',
    advice: 'Begin each section with what a sceptical reader would object, and answer it.',
    ask: [
      'What would a sceptic say to this first?',
      'Where is the sceptic right?',
      'What would have to be shown to settle it?',
      'What remains in doubt after this section?',
    ],
  },
  {
    name: 'then, now, next',
    advice: 'Tell each section in time: how it was, how it is, and what is coming.',
    ask: [
      'How was this a generation ago?',
      'When did it change, and what set it off?',
      'What of the old way is still there?',
      'Which sign of what comes next can be seen today?',
    ],
  },
  {
    name: 'a conversation with somebody who knows',
    advice: 'Ask one person who does this every day, and build each section round an answer of theirs.',
    ask: [
      'Whom do you ask, and what would only they know?',
      'What did their answer change in your plan?',
      'Which sentence of theirs do you quote word for word?',
      'What did they ask you in return?',
    ],
  },
  {
    name: 'for somebody who starts today',
    advice: 'Speak to one beginner, and let each section end with what they can do now.',
    ask: [
      'Which word here does a beginner not know yet?',
      'What can they try within ten minutes?',
      'What may they safely leave out at first?',
      'How do they notice that they have understood?',
    ],
  },
];
