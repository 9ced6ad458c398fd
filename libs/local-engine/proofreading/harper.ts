import { Dialect, LocalLinter, SuggestionKind, type Lint } from 'harper.js';
import { slimBinary } from 'harper.js/slimBinary';

/** A finding of Harper; offsets are in UTF-16 code units. */
export interface FoundFault {
  /** Harper's kind of rule, such as "Agreement". */
  rule: string;
  start: number;
  end: number;
  message: string;
  /** Replacements, the best first. */
  suggestions: string[];
}

let linter: Promise<LocalLinter> | undefined;

/** Loads the linter with its dictionary: about 0.3 GB and two seconds of computing. */
async function loadLinter(): Promise<LocalLinter> {
  const loaded = new LocalLinter({ binary: slimBinary, dialect: Dialect.American });
  await loaded.setup();
  return loaded;
}

export async function findFaults(text: string, language: 'plaintext' | 'markdown'): Promise<FoundFault[]> {
  linter ??= loadLinter();
  const lints = await linter
    .then((loaded) => loaded.lint(text, { language }))
    .catch((error: unknown) => {
      linter = undefined;
      throw error;
    });
  return lints.map((lint) => toFault(lint, text));
}

function toFault(lint: Lint, text: string): FoundFault {
  const { start, end } = lint.span();
  const words = text.slice(start, end);
  const fault = {
    rule: lint.lint_kind(),
    start,
    end,
    message: lint.message(),
    suggestions: lint.suggestions().map((suggestion) => {
      const replacement = suggestion.get_replacement_text();
      switch (suggestion.kind()) {
        case SuggestionKind.Remove:
          return '';
        case SuggestionKind.InsertAfter:
          return words + replacement;
        default:
          return replacement;
      }
    }),
  };
  lint.free();
  return fault;
}
