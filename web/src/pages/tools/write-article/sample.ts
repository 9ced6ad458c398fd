/** The opening of an article, as a connected AI provider writes it. */
export const articleSample = `# Why a small town still needs a printer

The shop on the corner smells of ink and warm paper. It has printed the fair's posters for forty years, and this spring it printed something new: the town's own recipe book, two hundred copies, sold out by noon.

## What stays when everything is a screen

A poster in a window asks for nothing. It does not know who walks past, and it does not mind. That is why the bakery still orders one each month, and why people still stop to read it.

- **It is there.** A printed page waits where it was put.
- **It is finished.** Nobody changes it after you have read it.
- **It is ours.** The paper comes from the mill upstream.

## The numbers behind the counter

Orders fell for ten years, and then they stopped falling. What came back was small: forty programmes for a recital, a hundred labels for a cheese, one book for a family.
`;

/** The opening of an outline, as the offline engine lays it out. */
export const outlineSample = `# Why a small town still needs a printer

An outline for about 800 words, with a budget for each section.

## 1. Opening, 90 words

- Begin with one scene that the reader can see.
- Say in a sentence what the piece will show.

**Ask yourself:** who walks past this shop every day, and what would they miss?

## 2. What stays when everything is a screen, 220 words

- Name three things that paper does and a screen does not.
- Give an example for each: ________

## 3. The numbers behind the counter, 200 words

- Find two figures, and say where they come from: ________

## Checklist

- [ ] Every claim has its source
- [ ] The first paragraph says why now
`;
