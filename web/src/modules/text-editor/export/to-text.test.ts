import { expect, it } from '@jest/globals';
import { toText } from './to-text';

it('raises and lowers characters', () => {
  expect(toText('10<sup>6</sup> H<sub>2</sub>O 4<sup>th</sup> <u>under</u>')).toBe('10⁶ H₂O 4^(th) under\n');
});

it('gives the address of a picture that is a link', () => {
  const path = `/files/${'a'.repeat(43)}`;
  expect(toText(`[![Dot](${path})](https://a.example/b) ![Dot](${path})\n`)).toBe(
    '[Dot] (https://a.example/b) [Dot]\n',
  );
  expect(toText('[![Build](https://a.example/c.svg)](https://a.example/b)\n')).toBe(
    'Build (https://a.example/b)\n',
  );
});

it('reads like the text, without its marks', () => {
  const markdown = [
    '# A **title**',
    'See [the *whole* page](https://a.example/b), <https://a.example> and a@b.example.[^1] ![Far](https://a.example/c.png)',
    '- [x] done\n- to do\n  1. first\n\n     more\n  2. second',
    '> Said\n>\n> twice',
    '| a | b |\n| - | - |\n| 1<br>one<br>more | 2 |',
    '```js\nconst a = 1;\n```',
    '---',
    '[^1]: A note.\n',
  ].join('\n\n');
  expect(toText(markdown)).toBe(
    [
      'A title',
      'See the whole page (https://a.example/b), https://a.example and a@b.example.[1] Far (https://a.example/c.png)',
      '- [x] done\n- to do\n  1. first\n\n     more\n  2. second',
      '> Said\n\n> twice',
      'a\tb\n1 one more\t2',
      'const a = 1;',
      '* * *',
      '[1] A note.\n',
    ].join('\n\n'),
  );
});
