import type { Node } from 'prosemirror-model';
import type { NodeView, NodeViewConstructor } from 'prosemirror-view';
import type * as FormulaHtml from '../../../shared/markdown/formulas/formula-html';
import { schema } from '../document/schema';

const loading = () => import('../../../shared/markdown/formulas/formula-html');
let typesetter: typeof FormulaHtml | undefined;

/** Shows a formula typeset, and as TeX while KaTeX loads and if the TeX is wrong. */
class FormulaView implements NodeView {
  readonly dom: HTMLElement;

  constructor(node: Node) {
    const { tex, display } = node.attrs as { tex: string; display?: boolean };
    const isBlock = node.type === schema.nodes.math_block;
    this.dom = document.createElement(isBlock ? 'div' : 'span');
    this.dom.dir = 'ltr';
    this.dom.className = 'formula';
    this.dom.title = 'Formula. Enter edits it.';
    if (isBlock || display === true) this.dom.dataset['display'] = 'true';
    this.dom.append(sourceOf(tex));
    const typeset = ({ formulaHtml }: typeof FormulaHtml) => {
      try {
        this.dom.innerHTML = formulaHtml(tex, isBlock || display === true);
      } catch {
        this.dom.dataset['invalid'] = '';
      }
    };
    if (typesetter !== undefined) typeset(typesetter);
    else
      loading().then(
        (module) => typeset((typesetter = module)),
        // The TeX is shown already.
        () => undefined,
      );
  }

  ignoreMutation(): boolean {
    return true;
  }
}

function sourceOf(tex: string): HTMLElement {
  const code = document.createElement('code');
  code.textContent = tex;
  return code;
}

const view: NodeViewConstructor = (node) => new FormulaView(node);

export const formulaViews = { math: view, math_block: view };
