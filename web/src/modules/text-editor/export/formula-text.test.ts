/** @jest-environment ./test/web/dom-environment.mjs */
import { expect, it } from '@jest/globals';
import { formulaText } from './formula-text';

it.each([
  ['x^2 + y_1 = -3', 'x² + y₁ = −3'],
  ['E=mc^{2}', 'E = mc²'],
  ['\\frac{1}{2}', '1/2'],
  ['\\frac{a+b}{\\sqrt{2}}', '(a + b)/(√2)'],
  ['\\sqrt[3]{x}', '³√x'],
  ['\\int_0^\\infty e^{-x^2}\\,dx', '∫₀^∞ e^(−x²) dx'],
  ['\\sum_{n=1}^{N} x_n', '∑_(n = 1)^N x_n'],
  ['\\lim_{x \\to 0} \\sin x', 'lim_(x → 0) sin x'],
  ['\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}', '(a, b; c, d)'],
  ['\\bar{x} \\le \\alpha', 'x̄ ≤ α'],
  ['x = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}', 'x = (−b ± √(b² − 4ac))/(2a)'],
  ['\\frac{1}{n}\\sum_{i=1}^{n} x_i', '1/n ∑_(i = 1)ⁿ x_i'],
  ["\\frac{dy}{dx} = f'(x)", 'dy/(dx) = f′(x)'],
  ['\\begin{aligned} a &= b \\\\ c &= d \\end{aligned}', 'a = b; c = d'],
  [
    '|x| = \\begin{cases} x & \\text{if } x \\geq 0 \\\\ -x & \\text{else} \\end{cases}',
    '∣x∣ = {x, if x ≥ 0; −x, else',
  ],
  ['-\\sum_{i} y_i \\log p_{max}', '−∑_i y_i log p_(max)'],
  ['\\underbrace{a + b}_{c}', '(a + b)_c'],
  ['\\sqrt{2\\pi}', '√(2π)'],
  ['\\sqrt{2}\\pi', '√2π'],
  ['\\frac{1}{2}(a+b)', '1/2 (a + b)'],
  ['\\sum_i w_i x_i', '∑_i w_i x_i'],
  ['x^k y', 'x^k y'],
  ['w_i^k x', 'w_i^k x'],
  ['\\iint_D f\\,dA', '∬_D f dA'],
  ['f(x, y) \\text{ if } x > 0', 'f(x, y) if x > 0'],
  ['\\frac{1', '\\frac{1'],
])('writes %s as text', (tex, text) => {
  expect(formulaText(tex)).toBe(text);
});
