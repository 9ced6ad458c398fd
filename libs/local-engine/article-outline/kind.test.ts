import { describe, expect, it } from '@jest/globals';
import { recogniseKind } from './kind.js';

describe('the kind of an article', () => {
  it.each([
    ['How to bake bread', { form: 'how-to', task: 'bake bread' }],
    ['how do I reset my iPhone?', { form: 'how-to', task: 'reset their iPhone' }],
    ['How to vote in the US', { form: 'how-to', task: 'vote in the US' }],
    ['A beginner’s guide to Kubernetes', { form: 'how-to', task: 'get started with Kubernetes' }],
    ['The best way to learn guitar', { form: 'how-to', task: 'learn guitar' }],
    ['Wie man Brot backt', { form: 'how-to', task: 'do this' }],
    ['如何学习中文', { form: 'how-to', task: 'do this' }],
    [`How to ${'really '.repeat(14)}rest`, { form: 'how-to', task: 'do this' }],
    [
      'Python vs JavaScript',
      { form: 'comparison', first: 'Python', others: 'JavaScript', all: 'Python and JavaScript' },
    ],
    [
      'Electric cars versus hybrid cars',
      {
        form: 'comparison',
        first: 'electric cars',
        others: 'hybrid cars',
        all: 'electric cars and hybrid cars',
      },
    ],
    [
      'Frameworks: React vs. Vue vs Svelte in 2026',
      { form: 'comparison', first: 'React', others: 'Vue and Svelte', all: 'React, Vue and Svelte' },
    ],
    [
      'What is the difference between HTTP and HTTPS?',
      { form: 'comparison', first: 'HTTP', others: 'HTTPS', all: 'HTTP and HTTPS' },
    ],
    ['Tea or coffee?', { form: 'comparison', first: 'tea', others: 'coffee', all: 'tea and coffee' }],
    [
      'Is Python better than Java?',
      { form: 'comparison', first: 'Python', others: 'Java', all: 'Python and Java' },
    ],
    ['10 best laptops for students', { form: 'list', things: 'laptops for students', count: 10 }],
    ['Top 5 programming languages', { form: 'list', things: 'programming languages', count: 5 }],
    ['7 habits of calm people', { form: 'list', things: 'habits of calm people', count: 7 }],
    ['Tips for better sleep', { form: 'list', things: 'Tips for better sleep', count: null }],
    ['999 best jokes', { form: 'list', things: 'jokes', count: null }],
    ['Why is the sky blue?', { form: 'question', question: '“Why is the sky blue?”' }],
    ['Can dogs eat grapes?', { form: 'question', question: '“Can dogs eat grapes?”' }],
    ['Warum ist der Himmel blau?', { form: 'question', question: '“Warum ist der Himmel blau?”' }],
    [`Why ${'oh why '.repeat(20)}?`, { form: 'question', question: 'your question' }],
    ['What is blockchain?', { form: 'explainer', topic: '“blockchain”' }],
    ['什么是区块链？', { form: 'explainer', topic: '“什么是区块链？”' }],
    [
      'Should remote work be the default?',
      { form: 'opinion', topic: '“Should remote work be the default?”' },
    ],
    ['Pros and cons of nuclear power', { form: 'opinion', topic: '“Pros and cons of nuclear power”' }],
    ['The history of the bicycle', { form: 'story', topic: '“The history of the bicycle”' }],
    ['Acme launches a new bike', { form: 'announcement', topic: '“Acme launches a new bike”' }],
    ['Climate change', { form: 'general', topic: '“Climate change”' }],
    ['30 days of yoga', { form: 'general', topic: '“30 days of yoga”' }],
    ['The best of both worlds', { form: 'general', topic: '“The best of both worlds”' }],
    ['مستقبل الذكاء الاصطناعي', { form: 'general', topic: '“مستقبل الذكاء الاصطناعي”' }],
    ['a *bold* <b>', { form: 'general', topic: '“a \\*bold\\* \\<b\\>”' }],
    ['*A* vs `B`', { form: 'comparison', first: '\\*A\\*', others: '\\`B\\`', all: '\\*A\\* and \\`B\\`' }],
    ['?', { form: 'general', topic: '“?”' }],
    ['vs', { form: 'general', topic: '“vs”' }],
    [`${'very '.repeat(30)}long`, { form: 'general', topic: 'your topic' }],
  ])('%j', (topic, kind) => {
    expect(recogniseKind(topic)).toEqual(kind);
  });
});
