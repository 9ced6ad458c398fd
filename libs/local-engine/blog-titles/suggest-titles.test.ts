import { describe, expect, it } from '@jest/globals';
import { titleCategories, titlesInputSchema } from '#libs/tools/generate-blog-title/contract.js';
import { suggestTitles } from './suggest-titles.js';
import { formOf } from './keyword-form.js';
import { parseTitleRequest } from './parse-request.js';
import { patterns } from './patterns.js';
import { titleCase, withArticle } from './title-case.js';

const titlesFor = (prompt: string, category: (typeof titleCategories)[number] = 'General') =>
  suggestTitles({ prompt, category });

describe('the request in a prompt', () => {
  it.each([
    ['electric cars', 'electric cars', 'General'],
    [
      'Generate a blog title for the keyword electric cars in the category Technology',
      'electric cars',
      'Technology',
    ],
    [
      'Generate at least 10 blog titles for the keyword "vegan pizza" in the category Food within 500 words.',
      'vegan pizza',
      'Food',
    ],
    [
      'Suggest 10 catchy headlines about travel insurance for the Travel category. Keep them short.',
      'travel insurance',
      'Travel',
    ],
    ['Keyword: yoga, Category: Health', 'yoga', 'Health'],
    ['give me blog titles on how to start a garden', 'how to start a garden', 'General'],
    [
      'Please generate at least 10 blog titles on the topic: dog training (category: Lifestyle)',
      'dog training',
      'Lifestyle',
    ],
    ['Generate blog titles for category Food about sourdough', 'sourdough', 'Food'],
    ['Write better titles', 'Write better titles', 'General'],
    ['title deeds', 'title deeds', 'General'],
    ['food trends in the category Food', 'food trends in the category Food', 'General'],
    ['“quoted keyword”', 'quoted keyword', 'General'],
  ])('%s', (prompt, keyword, category) => {
    expect(parseTitleRequest(prompt, 'General')).toEqual({ keyword, category });
  });

  it('prefers the category chosen in the form to the one in the prompt', () => {
    expect(
      parseTitleRequest('Generate a blog title for the keyword tea in the category Food', 'Health'),
    ).toEqual({
      keyword: 'tea',
      category: 'Health',
    });
  });
});

describe('the form of a keyword', () => {
  it.each([
    ['plural', 'houseplants dogs|credit cards|cats and dogs|children|yoga poses'],
    [
      'mass',
      'running|music|news|machine learning|remote work|travel insurance|time management|teeth whitening|invoice factoring|record keeping|train travel|postpartum depression',
    ],
    [
      'massPhrase',
      'learning python|buying a house|grief after losing a pet|back pain after running|knitting for beginners',
    ],
    ['count', 'headache|espresso machine|job interview|house on a budget|laptop for students|standing desk'],
    ['one', 'electric car|a dog|university course|Electric Car'],
    ['name', 'Paris|SEO|seo|kubernetes|iPhone 15|the future of work|C++|node.js|pizza 🍕'],
    [
      'task',
      'negotiate salary|compare mortgages|save money|how to bake bread|start a blog|grow tomatoes|How to be happy?|start running|stop smoking|train your dog',
    ],
    ['question', 'why do cats purr?|what is AI|is tea good for you'],
    [
      'label',
      'sustainable|hiking boots|parenting teenagers|best laptops|dogs vs cats|10 facts about bees|tea: a history',
    ],
    [
      'quoted',
      '持続可能な旅行|القهوة العربية|Nachhaltiges Reisen für Anfänger|Пицца|recetas faciles para cenar|gesunde rezepte',
    ],
  ])('is %s for %s', (form, keywords) => {
    for (const keyword of keywords.split('|'))
      expect([keyword, formOf(keyword).form]).toEqual([keyword, form]);
  });
});

describe('the case of a keyword', () => {
  it.each([
    ['the art of tea', 'The Art of Tea'],
    ['seo for saas startups', 'SEO for SaaS Startups'],
    ['plant-based food', 'Plant-Based Food'],
    ['iPhone 15 vs Pixel', 'iPhone 15 vs Pixel'],
  ])('%s', (keyword, expected) => expect(titleCase(keyword)).toBe(expected));

  it.each([
    ['Electric Car', 'an Electric Car'],
    ['Dog', 'a Dog'],
    ['University', 'a University'],
    ['Umbrella', 'an Umbrella'],
    ['Hour', 'an Hour'],
    ['SEO', 'an SEO'],
    ['MRI Scan', 'an MRI Scan'],
    ['USB Stick', 'a USB Stick'],
    ['CRM', 'a CRM'],
    ['One-Pot Meal', 'a One-Pot Meal'],
    ['“Пицца”', 'a “Пицца”'],
  ])('%s takes its article', (keyword, expected) => expect(withArticle(keyword)).toBe(expected));
});

const keywords = [
  'houseplants',
  'electric car',
  'running',
  'Paris',
  'save money',
  'how to bake bread',
  'why do cats purr?',
  'best laptops',
  'dogs vs cats',
  '10 mistakes in sourdough',
  'my mother’s dementia',
  'common questions about tea',
  '持続可能な旅行',
  'القهوة العربية',
  'Nachhaltiges Reisen für Anfänger',
  'pizza 🍕',
  'AI',
  '*bold* _x_ [link](y) #tag <b>',
  'a keyword that goes on and on, with clause after clause, until nobody would take it for a keyword any more',
  '?',
  '🍕',
  '{} {a} {label} $& $1',
  'x'.repeat(1000),
];

describe('suggested titles', () => {
  it.each(keywords)('are twelve different lines in every category: %s', (prompt) => {
    for (const category of titleCategories) {
      const titles = titlesFor(prompt, category);
      expect(titles).toHaveLength(12);
      expect(new Set(titles.map((title) => title.toLowerCase())).size).toBe(12);
      expect(titles.join(' ').split(/\s+/).length).toBeLessThanOrEqual(400);
      for (const title of titles) {
        expect(title).toMatch(/^\S.*\S$/u);
        expect(title).not.toMatch(/\n| {2}|\b[Aa] (?:[aei]|[ou](?!n[ei]|s|ne))\w+ [A-Z]/u);
      }
    }
  });

  it.each(['houseplants', 'القهوة العربية', '持続可能な旅行', 'pizza 🍕', 'Wien über alles für Anfänger'])(
    'all contain the unchanged keyword: %s',
    (keyword) => {
      for (const title of titlesFor(keyword)) expect(title.toLowerCase()).toContain(keyword.toLowerCase());
    },
  );

  it('agree with the number of the keyword', () => {
    expect(patterns.General.counted.length).toBe(3);
    for (const category of titleCategories) {
      expect(titlesFor('dogs', category).join('\n')).not.toMatch(/\bIs Dogs|Dogs (?:Matters|Deserves)/);
      expect(titlesFor('running', category).join('\n')).not.toMatch(
        /\bAre Running|Running (?:Matter|Deserve)\b/,
      );
      expect(titlesFor('electric car', category).join('\n')).not.toMatch(
        /(?:to|on|about|with) Electric Car\b/i,
      );
    }
  });

  it('suggest to choose or try only things that people choose', () => {
    for (const keyword of [
      'grief after losing a pet',
      'cancer',
      'burnout',
      'a headache',
      'divorce',
      'mistakes at work',
    ]) {
      for (const category of titleCategories) {
        const titles = titlesFor(keyword, category);
        expect(titles).toHaveLength(12);
        expect(titles.join('\n')).not.toMatch(
          /Need|Right for You|Get More Out|\ba Grief|Choosing|Commit|Getting Started/,
        );
      }
    }
  });

  it('compare two things', () => {
    for (const category of titleCategories)
      expect(titlesFor('Rust vs Go', category).join('\n')).not.toMatch(
        /Beginners|Ideas|Checklist|Mistakes|Lessons/,
      );
  });

  it('do not repeat a word of the keyword', () => {
    for (const category of titleCategories)
      expect(titlesFor('10 mistakes in sourdough', category).join('\n')).not.toMatch(
        /Mistakes.*Mistakes|: \d/,
      );
  });

  it('have an article only where the noun takes one', () => {
    for (const noun of [
      'espresso machine',
      'job interview',
      'student loan',
      'standing desk',
      'electric bike',
    ]) {
      expect(titlesFor(noun).join('\n')).not.toMatch(
        new RegExp(`(?:About|Of|With|Behind|Need|Into|on) ${noun}(?! Planning)`, 'i'),
      );
    }
    for (const noun of ['grief', 'furniture', 'remote work', 'sourdough', 'advice', 'loneliness']) {
      expect(titlesFor(noun).join('\n')).not.toMatch(
        new RegExp(`(?:About|Of|With|Behind|Need|Is) an? ${noun}(?![ \\w])`, 'i'),
      );
    }
    expect(titlesFor('the future of work').join('\n')).not.toMatch(/[a-z] The Future/);
  });

  it('show Markdown in a keyword as text', () => {
    for (const title of titlesFor('*bold* [link](y)')) expect(title).toContain('\\*bold\\* \\[link\\](y)');
  });

  it('show their category', () => {
    for (const category of titleCategories) {
      if (category === 'General') continue;
      for (const keyword of ['dogs', 'running', 'electric car', 'Paris', 'save money', 'القهوة']) {
        const own = Object.values(patterns[category])
          .flat()
          .map(
            (pattern) =>
              pattern
                .replace(/\{\w*\}/g, '')
                .trim()
                .split(/ {2,}/)
                .sort((a, b) => b.length - a.length)[0]!,
          );
        const shown = titlesFor(keyword, category).filter((title) =>
          own.some((words) => title.includes(words)),
        );
        expect(shown.length).toBeGreaterThanOrEqual(5);
      }
    }
  });

  it('are the same for the same request, and differ in order for another keyword', () => {
    expect(titlesFor('dogs', 'Travel')).toEqual(titlesFor('dogs', 'Travel'));
    const order = (keyword: string) => titlesFor(keyword).map((title) => title.replace(/dogs|cats/i, ''));
    expect(order('dogs')).not.toEqual(order('cats'));
    expect(titlesFor('Generate a blog title for the keyword dogs in the category Travel')).toEqual(
      titlesFor('dogs', 'Travel'),
    );
  });

  it('name no years or figures: each number is the count of a list', () => {
    const all = Object.values(patterns).flatMap((kinds) => Object.values(kinds).flat());
    for (const pattern of all) {
      for (const [number] of pattern.matchAll(/\d+/g)) expect(Number(number)).toBeLessThan(10);
    }
  });
});

describe('the input', () => {
  it.each([
    {},
    { prompt: '  ' },
    { prompt: 'x'.repeat(1001) },
    { prompt: 'x', category: 'Sports' },
    { prompt: 7 },
  ])('is refused: %j', (input) => expect(titlesInputSchema.safeParse(input).success).toBe(false));

  it('has a category, General if none is given', () => {
    expect(titlesInputSchema.parse({ prompt: ' tea ' })).toEqual({ prompt: 'tea', category: 'General' });
  });
});
