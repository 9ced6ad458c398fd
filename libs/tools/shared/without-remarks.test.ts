import { describe, expect, it } from '@jest/globals';
import { withoutAnnouncement, withoutPreface, withoutRemark } from './without-remarks.js';

const ARTICLE = '# Tea\n\nTea is a drink.\n\nIt has been one for long.';

describe('a preface', () => {
  it.each([
    'Sure! Here’s the article:',
    'Below is the article you requested:',
    'I’ve written an article for you:',
    'Sure!\n\nHere’s your article:',
    'Got it. Here is the article.',
    'Voici l’article :',
    'Aquí tienes el artículo:',
    'Hier ist der Artikel:',
    'Gerne!\n\n---',
    '---',
    'こちらが記事です：',
    'Here you go!',
    'I’ve written an article on tea for you.',
    'Below is an 800-word article on tea.',
    'As requested, here is the article.',
  ])('%s goes', (preface) => {
    expect(withoutAnnouncement(withoutPreface(`${preface}\n\n${ARTICLE}`))).toBe(ARTICLE);
  });

  it.each([
    'Three sorts exist:\n\n- green\n- black',
    '- A list:\n\n# Tea',
    'See https://tea.example:\n\n# Tea',
    'Tea is a drink.\n\n# Sorts',
    'Below the house is a text on a stone.\n\n# Tea',
    'I wrote this by the sea.\n\n# Tea',
    'I have written a post on this before.\n\n## What changed',
    ARTICLE,
  ])('is not %j', (text) => {
    expect(withoutAnnouncement(withoutPreface(text))).toBe(text);
  });
});

it('keeps a line before a heading of a passage', () => {
  expect(withoutPreface('Dear team:\n\n# Plan')).toBe('Dear team:\n\n# Plan');
});

describe('a remark', () => {
  it.each([
    'Let me know if you would like any changes!',
    '*Word count: 812*',
    '**Word count:** 1,204 words',
    '(Word count: ~800)',
    'Nombre de mots : 812',
    'This article is about 800 words long. Let me know if you would like it shorter.',
    'Feel free to adjust the tone to your needs.',
    'Hope this helps!',
    'Let me know if you would like any changes!\n\nHappy writing!',
    'Note: This article is about 800 words.',
    'Lassen Sie mich wissen, ob Sie Änderungen wünschen.',
    'Avísame si quieres algún cambio.',
    'Dites-moi si vous souhaitez une version plus courte.',
    'N’hésitez pas à me dire si vous souhaitez des modifications !',
    'Möchtest du, dass ich etwas ändere?',
    '¿Te gustaría que ajuste algo?',
    'Laat me weten als je wijzigingen wilt!',
    'Дайте знать, если нужны правки!',
    'Daj mi znać, jeśli chcesz coś zmienić!',
    '如果您需要修改，请告诉我！',
    '修正が必要な場合はお知らせください。',
    'Is there anything else you would like me to change?',
    'Want me to adjust the tone?',
    '(812 words)',
    '[End of article]',
    '**[END]**',
    'If you’d like, I can also turn this into a LinkedIn post.',
    'If you want, I can also create a meta description.',
    'If you like, I can adjust the tone of the article.',
    'Do you want me to add sources?',
    'Shall I add a section on brewing?',
    'Please let me know if you need any changes.',
    'I hope you find this article useful!',
    '---\nI kept it around 800 words. Let me know if you’d like it shorter.',
    '---\n\nDo you want me to add sources?',
    'J’espère que cet article vous plaira. N’hésitez pas à me dire si vous souhaitez des modifications.',
    'Ich hoffe, der Artikel gefällt Ihnen! Lassen Sie mich wissen, ob Sie Änderungen wünschen.',
    'Espero que te guste el artículo. Avísame si quieres algún cambio.',
  ])('%s goes', (remark) => {
    expect(withoutRemark(`${ARTICLE}\n\n${remark}`)).toBe(ARTICLE);
  });

  it('goes if it is a line of the last paragraph', () => {
    expect(withoutRemark(`${ARTICLE}\nLet me know if you need anything else.`)).toBe(ARTICLE);
  });

  it.each([
    'Feel free to adjust the recipe to your needs.',
    'Feel free to adjust the length of the sleeves to your taste.',
    'Feel free to customize the style to suit your kitchen.',
    'Let me know in the comments which changes you made.',
    'The word count: nobody reads it.',
    'This text is about 800 years old. It is in Bergen.',
    'Good last words are:\n\nLet me know if you have any questions!',
    'Дайте знать в комментариях, что вы думаете.',
    'If you want, I can show you around.',
    'If you want, I can also bake a cake.',
    '“If you’d like, I can also write a letter,” said Ann.',
    'If you like tea, you can also write about it.',
    'If you’d like, we can also turn this into a post.',
    'Do you want to learn more?',
    'Do you want me to stay?',
    'Shall I compare thee to a summer’s day?',
    'Should I add the milk first? Every tea drinker asks that.',
    'I hope you enjoyed this cup.',
    'Espero que te guste el té. Es muy bueno.',
    'I kept it around the house. It was old.',
    'I tried all five this summer. Would you like any of them in your garden?',
    'Would you like any of them in your garden?',
    'I made this bread for years. Is there anything you would change?',
    'Should I write a summary?',
  ])('is not %s', (last) => {
    expect(withoutRemark(`${ARTICLE}\n\n${last}`)).toBe(`${ARTICLE}\n\n${last}`);
  });
});
