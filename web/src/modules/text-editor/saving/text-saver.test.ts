import { MARKDOWN_MAX_CHARACTERS } from '#libs/contract/markdown.js';
import { describe, expect, it } from '@jest/globals';
import { ApiFailure } from '../../../shared/http/http';
import type { TextDraft } from './text-drafts';
import { TextSaver, type ConflictState, type SaveState, type StoredText } from './text-saver';

/** A server with one text. `cut` decides whether the connection breaks before the request or before the answer. */
class Server {
  stored: StoredText = { content: 'One.\n\nTwo.\n\nThree.\n', revision: 1 };
  cut: () => 'no' | 'request' | 'answer' = () => 'no';
  requests = 0;

  put = (content: string, revision: number) =>
    this.answer(() => {
      if (revision !== this.stored.revision && content !== this.stored.content)
        throw new ApiFailure('VERSION_CONFLICT', 'Changed elsewhere.', { status: 412 });
      if (content !== this.stored.content) this.stored = { content, revision: this.stored.revision + 1 };
      return this.stored;
    });

  get = () => this.answer(() => this.stored);

  private async answer<T>(work: () => T): Promise<T> {
    this.requests += 1;
    const cut = this.cut();
    const unreachable = new ApiFailure('UNREACHABLE', 'Not there.', { status: 0 });
    await Promise.resolve();
    if (cut === 'request') throw unreachable;
    const answer = work();
    await Promise.resolve();
    if (cut === 'answer') throw unreachable;
    return answer;
  }
}

/** An editor of the server's text without DOM. Its timers fire when `pass` is called. */
function openEditor(server: Server, draft?: Pick<TextDraft, 'base' | 'text' | 'unanswered'>) {
  const { base, text, unanswered } = draft ?? {
    base: server.stored,
    text: server.stored.content,
    unanswered: [],
  };
  let timers: { run: () => void }[] = [];
  const editor = {
    text,
    states: [] as SaveState[],
    kept: null as TextDraft | null,
    type(from: string, to: string) {
      editor.text = editor.text.replace(from, to);
      saver.changed();
    },
    /** Fires all timers and waits for requests. */
    async pass() {
      const due = timers;
      timers = [];
      for (const timer of due) timer.run();
      for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
    },
  };
  const saver = new TextSaver({
    session: 'session',
    base,
    unanswered,
    read: () => editor.text,
    adopt: (merged) => (editor.text = merged),
    put: (content, revision) => server.put(content, revision),
    get: server.get,
    keep: (draft) => (editor.kept = draft),
    onState: (state) => editor.states.push(state),
    schedule: (run) => {
      const timer = { run };
      timers.push(timer);
      return () => (timers = timers.filter((other) => other !== timer));
    },
    now: () => 0,
  });
  return Object.assign(editor, { saver });
}

const resolve = ({ saver }: ReturnType<typeof openEditor>, text: string) => {
  if (saver.state.kind !== 'conflict') throw new Error('There is no conflict.');
  saver.resolve(text, saver.state);
};
const bothOf = ({ parts }: ConflictState) =>
  parts.map((part) => (part.kind === 'text' ? part.text : part.mine + part.theirs)).join('');

describe('TextSaver', () => {
  it('saves after a pause, and deletes the copy on the device', async () => {
    const server = new Server();
    const editor = openEditor(server);
    editor.type('One', 'First');
    await editor.pass();
    expect(server.stored).toEqual({ content: 'First.\n\nTwo.\n\nThree.\n', revision: 2 });
    expect(editor.states.map(({ kind }) => kind)).toEqual(['unsaved', 'saving', 'saved']);
    expect(editor.kept).toBeNull();
  });

  it('stores a text on the device while the server does not answer, and sends it afterwards', async () => {
    const server = new Server();
    const editor = openEditor(server);
    server.cut = () => 'request';
    editor.type('One', 'First');
    await editor.pass();
    expect([editor.saver.state.kind, editor.kept?.text]).toEqual(['waiting', 'First.\n\nTwo.\n\nThree.\n']);
    server.cut = () => 'no';
    await editor.pass();
    expect([editor.saver.state.kind, editor.kept, server.stored.revision]).toEqual(['saved', null, 2]);
  });

  it('recognises its own text after a lost answer, also after a reload', async () => {
    const server = new Server();
    const before = openEditor(server);
    server.cut = () => 'answer';
    before.type('One', 'First');
    await before.pass();
    server.cut = () => 'no';
    const editor = openEditor(server, before.kept ?? undefined);
    editor.type('First', 'First of all');
    await editor.pass();
    expect(server.stored.content).toBe('First of all.\n\nTwo.\n\nThree.\n');
  });

  it('saves a text that was changed back before the answer arrived', async () => {
    const server = new Server();
    const { content } = server.stored;
    const editor = openEditor(server);
    server.cut = () => 'answer';
    editor.type('One', 'First');
    await editor.pass();
    expect([server.stored.content, editor.kept?.text]).toEqual([editor.text, editor.text]);
    editor.type('First', 'One');
    const kept = editor.saver.draft();
    expect([kept?.text, editor.saver.isUpToDate]).toEqual([content, false]);
    server.cut = () => 'no';
    await editor.pass();
    expect([server.stored.content, editor.kept, editor.saver.state.kind]).toEqual([content, null, 'saved']);

    // The page closes here; another editor saves, then the draft is opened again.
    server.stored = { content: content.replace('One', 'First'), revision: 2 };
    const later = openEditor(server, kept ?? undefined);
    await later.saver.save();
    expect(server.stored.content).toBe(content);
  });

  it('merges different paragraphs, and waits for a choice if the same one changed', async () => {
    const server = new Server();
    const [mine, theirs] = [openEditor(server), openEditor(server)];
    theirs.type('Three', 'Third');
    await theirs.pass();
    mine.type('One', 'First');
    await mine.pass();
    expect(mine.text).toBe('First.\n\nTwo.\n\nThird.\n');
    expect(server.stored.content).toBe(mine.text);

    theirs.type('Two', 'Theirs');
    await theirs.pass();
    mine.type('Two', 'Mine');
    await mine.pass();
    const { state } = mine.saver;
    expect(state.kind === 'conflict' && state.parts.find(({ kind }) => kind === 'conflict')).toEqual({
      kind: 'conflict',
      mine: 'Mine.\n',
      theirs: 'Theirs.\n',
    });
    expect(mine.kept?.text).toContain('Mine.');
    theirs.type('Theirs', 'Still theirs');
    await theirs.pass();
    mine.saver.receive(server.stored);
    expect(JSON.stringify(mine.saver.state)).toContain('Still theirs.');
    resolve(mine, 'First.\n\nMine.\n\nTheirs.\n\nThird.\n');
    await mine.pass();
    expect(server.stored.content).toBe('First.\n\nMine.\n\nTheirs.\n\nThird.\n');
  });

  it('keeps text that is typed while a conflict is shown', async () => {
    const server = new Server();
    const [mine, theirs] = [openEditor(server), openEditor(server)];
    theirs.type('Two', 'Theirs');
    await theirs.pass();
    mine.type('Two', 'Mine');
    await mine.pass();
    mine.type('Three', 'Third');
    mine.type('Mine', 'Mine, and more');
    const both = 'One.\n\nMine.\n\nTheirs.\n\nThree.\n';
    resolve(mine, both);
    expect(mine.saver.state.kind).toBe('conflict');
    expect(JSON.stringify(mine.saver.state)).toMatch(/Mine, and more.*Theirs/);
    resolve(mine, 'One.\n\nMine, and more.\n\nTheirs.\n\nThird.\n');
    await mine.pass();
    expect(server.stored.content).toBe('One.\n\nMine, and more.\n\nTheirs.\n\nThird.\n');

    theirs.saver.receive(server.stored);
    await theirs.pass();
    theirs.type('One', 'First');
    await theirs.pass();
    mine.type('One', 'Number one');
    await mine.pass();
    mine.type('Third', 'The third');
    resolve(mine, 'Both ones.\n\nMine, and more.\n\nTheirs.\n\nThird.\n');
    expect(mine.text).toBe('Both ones.\n\nMine, and more.\n\nTheirs.\n\nThe third.\n');
  });

  it('keeps a newer text that arrived during the choice', async () => {
    const server = new Server();
    const [mine, theirs] = [openEditor(server), openEditor(server)];
    theirs.type('Two', 'Theirs');
    await theirs.pass();
    mine.type('Two', 'Mine');
    await mine.pass();
    const { state } = mine.saver;
    theirs.type('One', 'First');
    await theirs.pass();
    mine.saver.receive(server.stored);
    expect(mine.saver.state).not.toBe(state);
    if (state.kind === 'conflict') mine.saver.resolve('One.\n\nMine.\n\nTheirs.\n\nThree.\n', state);
    await mine.pass();
    expect(server.stored.content).toBe('First.\n\nMine.\n\nTheirs.\n\nThree.\n');
  });

  it('applies changes that others saved between a save and its answer', async () => {
    const server = new Server();
    const editor = openEditor(server);
    const { put } = server;
    server.put = async (content, revision) => {
      await put(content, revision);
      server.stored = { content: server.stored.content.replace('Three', 'Theirs'), revision: 3 };
      server.put = put;
      return server.stored;
    };
    editor.type('One', 'First');
    await editor.pass();
    expect(editor.text).toBe('First.\n\nTwo.\n\nTheirs.\n');
    expect(server.stored).toEqual({ content: editor.text, revision: 3 });
  });

  it('shows a newer text at once if nothing was changed here', async () => {
    const server = new Server();
    const editor = openEditor(server);
    editor.saver.receive({ content: 'Restored.\n', revision: 5 });
    await editor.pass();
    expect([editor.text, editor.saver.state.kind, server.requests]).toEqual(['Restored.\n', 'saved', 0]);
  });

  it.each([
    ['', 'empty'],
    ['x'.repeat(MARKDOWN_MAX_CHARACTERS + 1), 'refused'],
    ['- [ ] task\n'.repeat(3_001), 'refused'],
    ['Half of an emoji: \ud83e', 'refused'],
  ])('does not resend a text that the server refuses', async (text, kind) => {
    const server = new Server();
    const editor = openEditor(server);
    editor.type(editor.text, text);
    await editor.pass();
    expect([editor.saver.state.kind, server.requests, editor.kept?.text]).toEqual([kind, 0, text]);
  });

  it('keeps every word of two editors whose connections break at random', async () => {
    let seed = 5;
    const random = (bound: number) => (seed = (seed * 48_271) % 2_147_483_647) % bound;
    const server = new Server();
    server.stored = { content: Array.from({ length: 8 }, (_, n) => `Line ${n}\n`).join('\n'), revision: 1 };
    server.cut = () => (['no', 'no', 'request', 'answer'] as const)[random(4)] ?? 'no';
    const editors = [openEditor(server), openEditor(server)];
    for (let word = 0; word < 200; word += 1) {
      const [editor] = random(2) === 0 ? editors : [...editors].reverse();
      editor?.type(`Line ${random(8)}`, `$& word-${word}-`);
      await editors[random(2)]?.pass();
      for (const { saver } of editors)
        if (saver.state.kind === 'conflict') saver.resolve(bothOf(saver.state), saver.state);
    }
    server.cut = () => 'no';
    for (let round = 0; round < 10; round += 1)
      for (const editor of editors) {
        await editor.saver.save();
        if (editor.saver.state.kind === 'conflict')
          editor.saver.resolve(bothOf(editor.saver.state), editor.saver.state);
        await editor.pass();
        editor.saver.receive(server.stored);
        await editor.pass();
      }
    for (const { text } of editors) expect(text).toBe(server.stored.content);
    for (let word = 0; word < 200; word += 1) expect(server.stored.content).toContain(`word-${word}-`);
  });
});
