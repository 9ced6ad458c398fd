import { Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';
import type { Manner } from '#libs/contract/brief.js';
import { UserEntity } from './users.js';

/** A named writing brief of a user. */
@Entity('voices')
@Unique('voices_name', ['userId', 'name'])
export class VoiceEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  @ForeignKey(() => UserEntity, { onDelete: 'CASCADE' })
  userId!: string;

  @Column('text')
  name!: string;

  @Column('jsonb')
  manner!: Manner;
}
