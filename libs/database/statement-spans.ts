import {
  EventSubscriber,
  type AfterQueryEvent,
  type BeforeQueryEvent,
  type EntitySubscriberInterface,
  type QueryRunner,
} from 'typeorm';
import { inChildSpan } from '#libs/observability/tracing.js';

/** The statements that begin and end transactions. */
const TRANSACTION = /^(?:START|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b/;

/** Adds a span to the trace for each statement. Statements hold no values: those are parameters. */
@EventSubscriber()
export class StatementSpans implements EntitySubscriberInterface {
  /** A connection runs one statement at a time. */
  private readonly ends = new WeakMap<QueryRunner, (error?: Error) => void>();

  beforeQuery({ queryRunner, query }: BeforeQueryEvent): void {
    if (TRANSACTION.test(query)) return;
    const span = inStatementSpan(
      query,
      () =>
        new Promise<void>((resolve, reject) =>
          this.ends.set(queryRunner, (error) => (error === undefined ? resolve() : reject(error))),
        ),
    );
    // The caller gets the error from the statement itself.
    span.catch(() => undefined);
  }

  afterQuery({ queryRunner, success, error }: AfterQueryEvent): void {
    this.ends.get(queryRunner)?.(success ? undefined : (error as Error));
    this.ends.delete(queryRunner);
  }
}

/** Runs a statement in a span of its own. */
export const inStatementSpan = <T>(text: string, run: () => Promise<T>): Promise<T> =>
  inChildSpan(
    statementName(text),
    { kind: 'client', attributes: { 'db.system.name': 'postgresql', 'db.query.text': text } },
    run,
  );

/** The kind of a statement and the first table that it writes or reads, or the function that it calls, such as `UPDATE jobs` or `SELECT claim_job`. */
function statementName(text: string): string {
  const [, verb = 'SQL', rest = ''] = /^\s*(\w+)([^]*)/.exec(text) ?? [];
  const statement = `${verb} ${rest}`;
  const written = /\b(?:INTO|UPDATE)\s+"?([a-z_]+)/.exec(statement)?.[1];
  const table = written ?? /\bFROM\s+"?([a-z_]+)/.exec(statement)?.[1];
  const called = /^\s*SELECT (?:\* FROM )?([a-z]+(?:_[a-z]+)+)\(/.exec(text)?.[1];
  if (called !== undefined) return `SELECT ${called}`;
  return table === undefined ? verb : `${verb} ${table}`;
}
