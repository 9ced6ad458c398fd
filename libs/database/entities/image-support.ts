import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ImageOperation } from '#libs/contract/engine.js';

/** An image operation that an AI service refused because it has no endpoint or model for it. */
@Entity('lacking_image_operations')
export class LackingImageOperationEntity {
  /** A hash of the addresses and image models of the configured services. */
  @PrimaryColumn('text')
  service!: string;

  @PrimaryColumn('text')
  operation!: ImageOperation;

  /** The operation is tried again after this time. */
  @Column('timestamptz')
  until!: Date;
}
