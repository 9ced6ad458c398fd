/** The start of a review by an AI provider. */
export const reviewSample = `# Resume review

## Overall

The resume shows nine years of backend work in the order in which a reader looks for it. The latest position leads with results; the one before it says what the team was for, not what you did.

## Experience

- **Freightline Systems.** “Built Go services that book 40,000 shipments a day” is the line to keep: what you made, and how much it carries.
- **Nordpost.** “Was given the task to write unit tests” hides you. Begin with the verb: wrote unit tests for the label printer, and say what they caught.

## Next steps

- Write every date the same way, with months.
- Leave out “References available upon request”.
`;

/** The start of a checklist made without an AI service. */
export const checklistSample = `# Resume checklist

**mara.pdf**: 17 checks passed, 6 with something to improve.

## Dates

- **Good.** Positions are ordered from the newest to the oldest.
- **To improve.** Dates are written in 2 ways (like Jan 2020, 2020): keep to one, with months.
  - Page 1, line 7: “Freightline Systems, Senior Backend Engineer, Mar 2018 - Present”

## Achievements

- **Good.** 3 of 6 statements have a figure (50%).
- **To improve.** 1 statement opens with a duty (“Responsible for …”): begin with what you did.
  - Page 1, line 10: “Responsible for the tuning of PostgreSQL queries, cutting the slowest report by 85%”
`;
