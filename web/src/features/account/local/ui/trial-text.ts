/** What the trial means, as a sentence before others. Empty without a trial. */
export const trialText = (trialDays: number) =>
  trialDays > 0 ? `Your first ${trialDays} days are free, if you have not had Premium before. ` : '';
