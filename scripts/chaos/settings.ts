/** Short leases and waits, so that failures end within a round, and unreachable limits. */
export const SETTINGS = {
  LOG_LEVEL: 'info',
  PLAN_SWITCH: 'self',
  JOB_LEASE_SECONDS: '5',
  JOB_OUTAGE_SECONDS: '12',
  SHUTDOWN_SECONDS: '8',
  SYNC_WAIT_SECONDS: '8',
  WORKER_CONCURRENCY: '6',
  // The provider replaces the models, so that nothing is fetched.
  MODELS_OFF: 'u2netp,u2net,coco-ssd,migan,ocr-en,minilm',
  AI_FIRST_TOKEN_SECONDS: '2',
  AI_IDLE_SECONDS: '2',
  AI_IMAGE_SECONDS: '4',
  AI_BREAKER_SECONDS: '2',
  RATE_LIMIT_REQUESTS: '1000000',
  RATE_LIMIT_SUBMISSIONS: '1000000',
  RATE_LIMIT_VERSIONS: '1000000',
  RATE_LIMIT_SIGN_IN: '1000000',
  RATE_LIMIT_SIGN_UP: '1000000',
};
