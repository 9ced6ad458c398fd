import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { misspeltVariables } from './misspelt-variables.js';

describe('misspeltVariables', () => {
  it.each([
    ['OPENAI_APIKEY', 'OPENAI_API_KEY'],
    ['S3_ENDPONT', 'S3_ENDPOINT'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['DATADIR', 'DATA_DIR'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['STMP_URL', 'SMTP_URL'],
    ['STRIPE_SECRETE_KEY', 'STRIPE_SECRET_KEY'],
    ['S3_ACCESS_KEY_ID', 'S3_ACCESS_KEY'],
    ['openai_base_url', 'OPENAI_BASE_URL'],
    ['AUTH-SECRET', 'AUTH_SECRET'],
    ['WORKER_CONCURENCY', 'WORKER_CONCURRENCY'],
    ['ENGINE_GENERATE_IMAGES', 'ENGINE_GENERATE_IMAGE'],
    ['RATE_LIMITS', 'RATE_LIMIT_REQUESTS'],
    ['STORAGE_QUOTA', 'STORAGE_QUOTA_FREE_MB'],
    ['JOB_RETENTION', 'JOB_RETENTION_DAYS'],
  ])('%s is %s', (name, meant) => {
    expect(misspeltVariables({ [name]: '5' })).toEqual([
      `${name} is not a variable of Pressroom; did you mean ${meant}?`,
    ]);
  });

  it('names no variable that is set, and no name without a value', () => {
    expect(misspeltVariables({ DATABASE_URI: 'x', DATABASE_URL: 'y' })).toEqual([]);
    expect(misspeltVariables({ OPENAI_APIKEY: ' ', DATADIR: undefined })).toEqual([]);
  });

  it('says nothing about variables of systems, containers, CI, clouds and other programs', () => {
    const others = `PATH HOME HOSTNAME HOSTTYPE HOST PORT PORT0 PORTS USER LOGNAME SHELL SHLVL PWD OLDPWD TERM LANG LC_ALL TZ TMPDIR
      MAIL EDITOR XDG_DATA_DIRS XDG_DATA_HOME XDG_RUNTIME_DIR SSH_AUTH_SOCK NODE_ENV NODE_OPTIONS NODE_VERSION YARN_VERSION
      NODE_EXTRA_CA_CERTS npm_config_cache npm_execpath npm_lifecycle_event INIT_CWD HTTP_PROXY https_proxy NO_PROXY SSL_CERT_FILE
      PGHOST PGPORT PGUSER PGPASSWORD PGDATABASE PGDATA PGSSLMODE POSTGRES_USER POSTGRES_DB POSTGRES_URL POSTGRES_HOST
      DATABASE_HOST DATABASE_PORT DATABASE_NAME DATABASE_USER DATABASE_PASSWORD DATABASE_PRIVATE_URL DATABASE_PUBLIC_URL
      REDIS_HOST REDIS_PORT REDIS_USER REDIS_PASSWORD REDIS_TLS_URL REDISHOST REDISPORT REDISUSER REDIS_UID REDIS_VERSION
      SMTP_HOST SMTP_PORT SMTP_USER SMTP_PASSWORD SMTP_TLS MINIO_ROOT_USER MINIO_ENDPOINT
      AWS_REGION AWS_DEFAULT_REGION AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_ENDPOINT_URL_S3 AWS_EXECUTION_ENV ECS_CONTAINER_METADATA_URI
      K_SERVICE K_REVISION CLOUD_RUN_JOB GOOGLE_CLOUD_PROJECT WEBSITE_HOSTNAME DYNO FLY_APP_NAME FLY_REGION PRIMARY_REGION
      RAILWAY_ENVIRONMENT RENDER_SERVICE_ID VERCEL_URL KUBERNETES_SERVICE_HOST KUBERNETES_PORT NOMAD_PORT_http
      CI GITHUB_ACTIONS GITHUB_TOKEN GITHUB_API_URL GITHUB_SERVER_URL RUNNER_TEMP CI_JOB_ID CI_JOB_TOKEN CI_API_V4_URL CI_PROJECT_DIR
      JOB_NAME JOB_URL JOB_BASE_NAME BUILD_URL BUILD_NUMBER JENKINS_URL WORKSPACE INVOCATION_ID JOURNAL_STREAM SYSTEMD_EXEC_PID
      OTEL_SERVICE_NAME OTEL_TRACES_EXPORTER OTEL_RESOURCE_ATTRIBUTES OTEL_EXPORTER_OTLP_PROTOCOL OTEL_EXPORTER_OTLP_TRACES_ENDPOINT
      OPENAI_API_BASE OPENAI_ORG_ID OPENAI_PROJECT_ID OPENAI_API_TYPE OPENAI_LOG AZURE_OPENAI_API_KEY ANTHROPIC_API_KEY
      NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY VITE_CLERK_PUBLISHABLE_KEY CLERK_API_VERSION STRIPE_API_KEY STRIPE_PUBLISHABLE_KEY
      LOG_FORMAT DEBUG PUBLIC_KEY SENTRY_DSN SM_MODEL_DIR HF_HOME TRACEPARENT UV_CACHE_DIR PUID PGID`;
    const environment = Object.fromEntries(others.split(/\s+/).map((name) => [name, '1']));
    expect(misspeltVariables(environment)).toEqual([]);
  });

  it('says nothing about service links, even of services with names like ours', () => {
    const links = {
      METRIC_PORT: 'tcp://10.0.0.9:80',
      METRIC_SERVICE_HOST: '10.0.0.9',
      METRICS_PORT_9464_TCP_ADDR: '10.0.0.9',
      REDIS_PORT: 'tcp://10.0.0.9:6379',
      REDIS_SERVICE_PORT_REDIS: '6379',
    };
    expect(misspeltVariables(links)).toEqual([]);
  });

  it('says nothing about variables of the compose stack', () => {
    const files = ['.env.example', 'docker-compose.yml'].map((file) => readFileSync(file, 'utf8')).join('\n');
    const names = files.match(/\b[A-Z][A-Z\d]*(_[A-Z\d]+)*(?==|:| *\}|-)/gm)!;
    expect(names).toContain('POSTGRES_PASSWORD');
    for (const name of names) expect([name, misspeltVariables({ [name]: '1' })]).toEqual([name, []]);
  });
});
