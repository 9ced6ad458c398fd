import { gfm } from 'micromark-extension-gfm';
import { markdownLineEndingOrSpace, unicodeWhitespace } from 'micromark-util-character';
import type { Code, Construct, Extension, TokenizeContext } from 'micromark-util-types';

const TILDE = 126;
const CJK =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\u3000-\u303f\uff00-\uffef]/u;

/**
 * Strikethrough beside Chinese, Japanese and Korean punctuation, such as `これは~~「重要」~~です`, a micromark extension that
 * follows the one of GFM. micromark-extension-cjk-friendly is the same for `*` and `_`.
 */
export function cjkStrikethrough(): Extension {
  const [strikethrough] = [gfm().text?.[TILDE] ?? []].flat();
  if (strikethrough === undefined) throw new Error('GFM has no strikethrough.');
  const { tokenize } = strikethrough;
  const construct: Construct = {
    ...strikethrough,
    tokenize(effects, ok, nok) {
      const { previous } = this;
      const isAfterCjk = isCjkBefore(this);
      return tokenize.call(
        this,
        effects,
        (code) => {
          const sequence = this.events.at(-1)?.[1];
          if (sequence && (isAfterCjk || isCjk(code))) {
            sequence._open ||= !isSpace(code);
            sequence._close ||= !isSpace(previous);
          }
          return ok(code);
        },
        nok,
      );
    },
  };
  return { text: { [TILDE]: construct } };
}

const isSpace = (code: Code) => code === null || markdownLineEndingOrSpace(code) || unicodeWhitespace(code);

/** True also for the first half of a character of the planes 2 and 3, which have only ideographs. */
const isCjk = (code: Code) =>
  code !== null && code > 0 && ((code >= 0xd840 && code <= 0xd8bf) || CJK.test(String.fromCharCode(code)));

function isCjkBefore(context: TokenizeContext): boolean {
  const { previous } = context;
  const isSecondHalf = previous !== null && previous >= 0xdc00 && previous <= 0xdfff;
  const end = context.now();
  if (!isSecondHalf || end._bufferIndex < 2) return isCjk(previous);
  return CJK.test(context.sliceSerialize({ start: { ...end, _bufferIndex: end._bufferIndex - 2 }, end }));
}
