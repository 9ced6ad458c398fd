import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Creation } from '#libs/contract/creations.js';
import { rows } from '#libs/database/sql.js';
import type { EngineName } from '#libs/tools/engine-name.js';

interface CreationRow {
  id: string;
  job_id: string | null;
  type: string;
  prompt: string;
  content: string;
  engine: EngineName;
  published: boolean;
  created_at: Date;
}

/** What people made. */
@Injectable()
export class Creations {
  constructor(private readonly dataSource: DataSource) {}

  /** All creations of a person that are not deleted, newest first. */
  async ofPerson(personId: string): Promise<Creation[]> {
    const found = await rows<CreationRow>(
      this.dataSource,
      `SELECT id, job_id, type, prompt, content, engine, published, created_at FROM creations
       WHERE person_id = $1 AND deleted_at IS NULL ORDER BY created_at DESC, id DESC`,
      [personId],
    );
    return found.map(({ job_id, created_at, ...creation }) => ({
      ...creation,
      created_at: created_at.toISOString(),
      likes: [],
      jobId: job_id,
    }));
  }
}
