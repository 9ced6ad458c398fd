import type { ClerkUser } from './clerk-service.ts';

/** The bodies of Clerk's Frontend API, as far as clerk-js reads them here. */

const now = () => Date.now();

export const refusal = (code: string, message: string, field?: string) => ({
  errors: [{ code, message, long_message: message, ...(field && { meta: { param_name: field } }) }],
  clerk_trace_id: 'trace',
});

export const signIn = ({ id, email }: { id: string; email: string }, sessionId: string | null) => ({
  object: 'sign_in',
  id,
  status: sessionId === null ? 'needs_first_factor' : 'complete',
  supported_identifiers: ['email_address'],
  identifier: email,
  user_data: { first_name: 'Ada', last_name: 'Hosted', image_url: '', has_image: false },
  supported_first_factors: [{ strategy: 'password' }],
  supported_second_factors: null,
  first_factor_verification: null,
  second_factor_verification: null,
  created_session_id: sessionId,
});

export const client = (id: string, sessions: object[], signInAnswer: object | null) => ({
  object: 'client',
  id,
  sessions,
  sign_in: signInAnswer,
  sign_up: null,
  last_active_session_id: (sessions[0] as { id: string } | undefined)?.id ?? null,
  cookie_expires_at: null,
  captcha_bypass: true,
  created_at: now(),
  updated_at: now(),
});

export const session = (id: string, user: ClerkUser, jwt: string) => ({
  object: 'session',
  id,
  status: 'active',
  expire_at: now() + 86_400_000,
  abandon_at: now() + 86_400_000,
  last_active_at: now(),
  last_active_token: { object: 'token', jwt },
  last_active_organization_id: null,
  actor: null,
  tasks: null,
  factor_verification_age: [0, -1],
  user: userAnswer(user),
  public_user_data: {
    first_name: user.first_name,
    last_name: user.last_name,
    image_url: user.image_url,
    has_image: false,
    identifier: user.email_addresses[0]?.email_address,
    user_id: user.id,
  },
  created_at: now(),
  updated_at: now(),
});

export const activeSession = (id: string) => ({
  object: 'session',
  id,
  status: 'active',
  expire_at: now() + 86_400_000,
  abandon_at: now() + 86_400_000,
  last_active_at: now(),
  latest_activity: {
    object: 'session_activity',
    id: 'sess_activity_1',
    browser_name: 'Chromium',
    browser_version: '130',
    device_type: 'Linux',
    ip_address: '127.0.0.1',
    city: null,
    country: null,
    is_mobile: false,
  },
  actor: null,
});

export const userAnswer = (user: ClerkUser) => ({
  object: 'user',
  id: user.id,
  username: null,
  first_name: user.first_name,
  last_name: user.last_name,
  image_url: user.image_url,
  has_image: false,
  primary_email_address_id: user.primary_email_address_id,
  primary_phone_number_id: null,
  primary_web3_wallet_id: null,
  email_addresses: user.email_addresses.map((address) => ({
    object: 'email_address',
    ...address,
    verification: { status: 'verified', strategy: 'email_code', attempts: null, expire_at: null },
    linked_to: [],
    matches_sso_connection: false,
  })),
  phone_numbers: [],
  web3_wallets: [],
  passkeys: [],
  external_accounts: [],
  enterprise_accounts: [],
  organization_memberships: [],
  password_enabled: true,
  totp_enabled: false,
  backup_code_enabled: false,
  two_factor_enabled: false,
  delete_self_enabled: true,
  create_organization_enabled: false,
  public_metadata: user.public_metadata,
  unsafe_metadata: {},
  last_sign_in_at: now(),
  created_at: now(),
  updated_at: user.updated_at,
});

const features = (names: string[]) =>
  names.map((name, index) => ({
    id: `feat_${index}`,
    name,
    slug: name.toLowerCase().replaceAll(' ', '_'),
    description: '',
    avatar_url: null,
  }));

const fee = (cents: number) => ({
  amount: cents,
  amount_formatted: (cents / 100).toFixed(2),
  currency: 'USD',
  currency_symbol: '$',
});

const plan = (id: string, name: string, slug: string, cents: number, gives: string[]) => ({
  object: 'commerce_plan',
  id,
  name,
  slug,
  description: cents === 0 ? 'For a start' : 'The whole press',
  fee: fee(cents),
  annual_monthly_fee: null,
  annual_fee: null,
  is_default: cents === 0,
  is_recurring: cents > 0,
  has_base_fee: cents > 0,
  for_payer_type: 'user',
  publicly_visible: true,
  avatar_url: null,
  features: features(gives),
  free_trial_days: null,
  free_trial_enabled: false,
});

const freePlan = plan('cplan_free', 'Free', 'free_user', 0, ['30 credits per month']);
const premiumPlan = plan('cplan_premium', 'Premium', 'premium', 1600, ['Unlimited credits', 'Image tools']);

export const plans = () => ({ data: [freePlan, premiumPlan], total_count: 2 });

export const subscription = (premium: boolean) => ({
  response: {
    object: 'commerce_subscription',
    id: 'csub_1',
    status: 'active',
    created_at: now(),
    active_at: now(),
    updated_at: now(),
    past_due_at: null,
    next_payment: null,
    eligible_for_free_trial: false,
    subscription_items: [
      {
        object: 'commerce_subscription_item',
        id: 'csubitem_1',
        status: 'active',
        plan: premium ? premiumPlan : freePlan,
        plan_period: 'month',
        period_start: now(),
        period_end: premium ? now() + 2_592_000_000 : null,
        created_at: now(),
        past_due_at: null,
        canceled_at: null,
        is_free_trial: false,
      },
    ],
  },
  client: null,
});

const attribute = (enabled: boolean, changes: object = {}) => ({
  enabled,
  required: false,
  used_for_first_factor: false,
  first_factors: [],
  used_for_second_factor: false,
  second_factors: [],
  verifications: [],
  verify_at_sign_up: false,
  ...changes,
});

export const environment = () => ({
  object: 'environment',
  id: 'env_1',
  auth_config: {
    object: 'auth_config',
    id: 'aconf_1',
    single_session_mode: true,
    claimed_at: null,
    reverification: false,
  },
  display_config: {
    object: 'display_config',
    id: 'display_config_1',
    instance_environment_type: 'production',
    application_name: 'Pressroom',
    theme: {},
    preferred_sign_in_strategy: 'password',
    logo_image_url: '',
    favicon_image_url: '',
    home_url: '/',
    sign_in_url: '/ai',
    sign_up_url: '/ai',
    user_profile_url: '/ai',
    after_sign_in_url: '/ai',
    after_sign_up_url: '/ai',
    after_sign_out_one_url: '/',
    after_sign_out_all_url: '/',
    branded: false,
    captcha_public_key: null,
    captcha_provider: 'turnstile',
    captcha_widget_type: null,
    show_devmode_warning: false,
    support_email: '',
    terms_url: '',
    privacy_policy_url: '',
  },
  user_settings: {
    attributes: {
      email_address: attribute(true, {
        required: true,
        used_for_first_factor: true,
        first_factors: ['email_code'],
        verifications: ['email_code'],
        verify_at_sign_up: true,
      }),
      password: attribute(true, { required: true }),
      first_name: attribute(true),
      last_name: attribute(true),
      phone_number: attribute(false),
      username: attribute(false),
      web3_wallet: attribute(false),
      authenticator_app: attribute(false),
      backup_code: attribute(false),
      passkey: attribute(false),
    },
    social: {},
    sign_in: { second_factor: { required: false } },
    sign_up: {
      captcha_enabled: false,
      captcha_widget_type: 'smart',
      custom_action_required: false,
      progressive: true,
      mode: 'public',
      legal_consent_enabled: false,
    },
    actions: { delete_self: true, create_organization: false },
    password_settings: { min_length: 8, max_length: 72, show_zxcvbn: false, min_zxcvbn_strength: 0 },
    passkey_settings: { allow_autofill: false, show_sign_in_button: false },
    username_settings: { min_length: 4, max_length: 64 },
    saml: { enabled: false },
    enterprise_sso: { enabled: false },
  },
  organization_settings: {
    enabled: false,
    max_allowed_memberships: 1,
    actions: {},
    domains: { enabled: false },
  },
  commerce_settings: {
    billing: {
      enabled: true,
      stripe_publishable_key: null,
      organization: { enabled: false, has_paid_plans: false },
      user: { enabled: true, has_paid_plans: true },
      has_paid_user_plans: true,
      has_paid_org_plans: false,
      free_trial_requires_payment_method: true,
    },
  },
  api_keys_settings: { enabled: false, user_api_keys_enabled: false, orgs_api_keys_enabled: false },
  maintenance_mode: false,
});
