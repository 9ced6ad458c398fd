/** The start of an article by an AI provider. */
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

/** The start of an outline made without an AI service. */
export const outlineSample = `# How to start a town newspaper

**Form:** how-to guide · **Length:** 800 words in 6 sections · **Key terms:** town newspaper

## 1. What you will be able to do (110 words)

Open with the result: what the reader can do at the end, how hard it is, and how long it takes to start a town newspaper.

**Questions to answer**

- Who wants to start a town newspaper, and what has kept them from it so far?
- What will be different for them afterwards?

**Fill in**

- The result in one sentence: ____
- The time it takes, from start to finish: ____

## 2. What you need before you start (110 words)
`;
