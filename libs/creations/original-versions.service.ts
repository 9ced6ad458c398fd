import { DataSource } from 'typeorm';
import { Injectable } from '@nestjs/common';
import { CreationVersionEntity, StoredObjectEntity } from '#libs/database/entities/creations.js';
import { BadImageHeader } from '#libs/pictures/header.js';
import { readImageHeader } from '#libs/pictures/image-header.js';
import { keyOf } from '#libs/storage/object-key.js';
import { ObjectMissing } from '#libs/storage/object-store.js';
import { StoredFiles } from '#libs/storage/stored-files.js';
import type { ToolName } from '#libs/tools/catalogue.js';
import { isImage, type VersionedCreation } from './version-rows.js';

const CUTTING_TOOL: ToolName = 'remove-image-background';

/** Bytes to read at the start of a file; enough for the header of any image that a tool writes. */
const HEADER_BYTES = 64 * 1024;
const ORIGINAL_LABEL = 'As it was made';

/** Represents the engine's output as version 1 of a creation that has no version rows, since it was never edited. */
@Injectable()
export class OriginalVersions {
  constructor(
    private readonly dataSource: DataSource,
    private readonly files: StoredFiles,
  ) {}

  async build(creation: VersionedCreation): Promise<CreationVersionEntity> {
    const { id, tool, content, createdAt } = creation;
    return this.dataSource.getRepository(CreationVersionEntity).create({
      ...{ id, creationId: id, number: 1, label: ORIGINAL_LABEL, isCurrent: true, content, createdAt },
      ...{ isNamed: false, session: null, idempotencyKey: null, requestHash: null },
      isCutOut: tool === CUTTING_TOOL,
      ...(isImage(creation) ? await this.describeImage(creation) : NO_IMAGE),
    });
  }

  private async describeImage({ id, content }: VersionedCreation) {
    const objects = await this.dataSource.getRepository(StoredObjectEntity).findBy({ creationId: id });
    const key = keyOf(content);
    return {
      thumbnailKey: objects.find(({ kind }) => kind === 'thumbnail')?.key ?? null,
      mediaType: objects.find((object) => object.key === key)?.type ?? null,
      ...(await this.readSize(key)),
    };
  }

  private async readSize(key: string) {
    try {
      const { width, height } = await readImageHeader(await this.files.readStart(key, HEADER_BYTES));
      return { width, height };
    } catch (error) {
      if (error instanceof ObjectMissing || error instanceof BadImageHeader)
        return { width: null, height: null };
      throw error;
    }
  }
}

/** Values of a version's image columns for a version without an image. */
export const NO_IMAGE = { thumbnailKey: null, mediaType: null, width: null, height: null };
