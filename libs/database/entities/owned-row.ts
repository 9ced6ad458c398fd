import { Column, ForeignKey, PrimaryColumn } from 'typeorm';
import { UserEntity } from './users.js';

/** A row that is deleted with its user. */
export abstract class OwnedRow {
  @Column('text')
  @ForeignKey(() => UserEntity, { onDelete: 'CASCADE' })
  userId!: string;
}

export abstract class OwnedEntity extends OwnedRow {
  @PrimaryColumn('uuid')
  id!: string;
}
