import {
  EventSubscriber,
  type AfterQueryEvent,
  type BeforeQueryEvent,
  type EntitySubscriberInterface,
  type QueryRunner,
} from 'typeorm';
import { inChildSpan } from '#libs/observability/tracing.js';

/** Matches statements that begin or end transactions. */
const TRANSACTION = /^(?:START|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b/;

/** Traces each SQL statement as a span. Safe to record, since values are parameters and not part of the statement. */
@EventSubscriber()
export class StatementSpans implements EntitySubscriberInterface {
  /** Open span of each connection, which runs one statement at a time. */
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
    // Prevents an unhandled rejection. The caller receives the statement's error anyway.
    span.catch(() => undefined);
  }

  afterQuery({ queryRunner, success, error }: AfterQueryEvent): void {
    this.ends.get(queryRunner)?.(success ? undefined : (error as Error));
    this.ends.delete(queryRunner);
  }
}

/** Runs a statement inside a trace span. */
export const inStatementSpan = <T>(text: string, run: () => Promise<T>): Promise<T> =>
  inChildSpan(
    statementName(text),
    { kind: 'client', attributes: { 'db.system.name': 'postgresql', 'db.query.text': text } },
    run,
  );

/** Name of the span: the command and its first table or function, such as `UPDATE jobs` or `SELECT claim_job`. */
function statementName(text: string): string {
  const [, verb = 'SQL', rest = ''] = /^\s*(\w+)([^]*)/.exec(text) ?? [];
  const statement = `${verb} ${rest}`;
  const written = /\b(?:INTO|UPDATE)\s+"?([a-z_]+)/.exec(statement)?.[1];
  const table = written ?? /\bFROM\s+"?([a-z_]+)/.exec(statement)?.[1];
  const called = /^\s*SELECT (?:\* FROM )?([a-z]+(?:_[a-z]+)+)\(/.exec(text)?.[1];
  if (called !== undefined) return `SELECT ${called}`;
  return table === undefined ? verb : `${verb} ${table}`;
}
