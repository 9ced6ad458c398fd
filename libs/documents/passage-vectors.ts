import { In } from 'typeorm';
import { PdfPassageVectorEntity } from '#libs/database/entities/pdf-documents.js';
import { execute, type Database } from '#libs/database/sql.js';
import type { Direction } from '#libs/local-engine/pdf-search/vectors.js';

/** Stores vectors of documents' passages. Keys are hashes of the passages' text, see `vectorKey`. */
export class PassageVectors {
  constructor(private readonly dataSource: Database) {}

  /** @param keys the keys to find; by default all keys of the document */
  async find(documentId: string, keys?: string[]): Promise<Map<string, Direction>> {
    const found = await this.dataSource
      .getRepository(PdfPassageVectorEntity)
      .findBy({ documentId, ...(keys && { passage: In(keys) }) });
    return new Map(found.map(({ passage, vector }) => [passage, new Int8Array(vector)]));
  }

  /** Stores vectors and skips existing keys. @returns false if the document was deleted */
  async add(documentId: string, vectors: ReadonlyMap<string, Direction>): Promise<boolean> {
    const added = await execute(
      this.dataSource,
      // Locks the document, so that it cannot be deleted during the insert. The result is the number of documents found, 0 or 1.
      `WITH document AS (SELECT id FROM pdf_documents WHERE id = $1 FOR KEY SHARE),
         added AS (
           INSERT INTO pdf_passage_vectors (document_id, passage, vector)
           SELECT document.id, passage, vector
           FROM document CROSS JOIN unnest($2::text[], $3::bytea[]) AS new (passage, vector)
           ON CONFLICT DO NOTHING)
       SELECT FROM document`,
      [documentId, [...vectors.keys()], Array.from(vectors.values(), (vector) => Buffer.from(vector))],
    );
    return added > 0;
  }
}
