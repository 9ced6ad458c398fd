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
  ['f(x, y) \\text{ if } x > 0', 'f(x, y) if x > 0'],
  ['\\frac{1', '\\frac{1'],
])('writes %s as text', (tex, text) => {
  expect(formulaText(tex)).toBe(text);
});
