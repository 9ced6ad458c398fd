export { JobFailedError, PressroomError, type ErrorCode } from './errors.js';
export * from './generated/sdk.gen.js';
export type * from './generated/types.gen.js';
export {
  Pressroom,
  type BatchOptions,
  type CallOptions,
  type Picture,
  type PressroomOptions,
  type SubmitOptions,
  type WaitOptions,
} from './pressroom.js';
