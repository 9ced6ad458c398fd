import type { Node } from 'prosemirror-model';
import type { NodeView, NodeViewConstructor, ViewMutationRecord } from 'prosemirror-view';
import { drawDiagram, REDRAW_DELAY_MS } from '../../../shared/markdown/diagrams/draw-diagram';
import { currentTheme } from '../../../shared/theme';

/** Shows a code block as the schema does, and the code of a diagram with a preview below. */
class CodeView implements NodeView {
  readonly dom: HTMLElement;
  readonly contentDOM = document.createElement('code');
  private readonly preview: HTMLImageElement | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private drawn = '';

  constructor(private node: Node) {
    const pre = document.createElement('pre');
    const lang = node.attrs['lang'] as string | null;
    if (lang) pre.dataset['lang'] = lang;
    pre.append(this.contentDOM);
    this.dom = pre;
    if (!isDiagram(node)) return;
    this.dom = document.createElement('div');
    this.preview = document.createElement('img');
    this.preview.contentEditable = 'false';
    this.preview.alt = 'Preview of the diagram';
    this.preview.className = 'diagram';
    this.preview.hidden = true;
    this.dom.append(pre, this.preview);
    void this.draw();
  }

  update(node: Node): boolean {
    if (node.type !== this.node.type || node.attrs['lang'] !== this.node.attrs['lang']) return false;
    this.node = node;
    if (this.preview !== null && node.textContent !== this.drawn) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => void this.draw(), REDRAW_DELAY_MS);
    }
    return true;
  }

  /** Keeps the last preview while the code is wrong, as it is between two keys. */
  private async draw(): Promise<void> {
    const code = this.node.textContent;
    this.drawn = code;
    const url = code.trim() === '' ? null : await drawDiagram(code, currentTheme());
    if (this.preview === null || code !== this.node.textContent) return;
    this.preview.hidden = url === null && (code.trim() === '' || this.preview.src === '');
    this.preview.dataset['outdated'] = String(url === null);
    if (url !== null) this.preview.src = url;
  }

  ignoreMutation(mutation: ViewMutationRecord): boolean {
    return mutation.type !== 'selection' && !this.contentDOM.contains(mutation.target);
  }

  destroy(): void {
    clearTimeout(this.timer);
  }
}

const isDiagram = ({ attrs }: Node) => attrs['lang'] === 'mermaid';

export const codeView: NodeViewConstructor = (node) => new CodeView(node);
