import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';

export const PRICE = 'price_premium';
const SECRET_KEY = 'sk_test_of_the_tests';
const WEBHOOK_SECRET = 'whsec_of_the_tests';
const DAY = 86_400;
const MONTH = 30 * DAY;

type Status = Stripe.Subscription.Status;

interface StoredCustomer {
  id: string;
  object: 'customer';
  email: string | null;
  name: string | null;
  metadata: Record<string, string>;
  deleted?: true;
}

export interface StoredSession {
  id: string;
  object: 'checkout.session';
  url: string | null;
  status: 'open' | 'complete' | 'expired';
  customer: string;
  subscription: string | null;
  payment_status: 'paid' | 'unpaid' | 'no_payment_required';
  client_reference_id: string | null;
  success_url: string;
  cancel_url: string | null;
  metadata: Record<string, string>;
  mode: string;
  /** What the subscription will have. Not part of Stripe's answers. */
  hidden: { trialDays: number; price: string; quantity: number; metadata: Record<string, string> };
}

interface StoredSubscription {
  id: string;
  object: 'subscription';
  customer: string;
  status: Status;
  metadata: Record<string, string>;
  start_date: number;
  created: number;
  trial_start: number | null;
  trial_end: number | null;
  cancel_at_period_end: boolean;
  cancel_at: number | null;
  canceled_at: number | null;
  ended_at: number | null;
  schedule: null;
  items: { object: 'list'; data: StoredItem[] };
}

interface StoredItem {
  id: string;
  object: 'subscription_item';
  quantity: number;
  price: {
    id: string;
    object: 'price';
    lookup_key: null;
    recurring: { interval: 'month'; usage_type: string };
  };
  current_period_start: number;
  current_period_end: number;
}

type Fields = { [name: string]: string | Fields };

class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly fields: { type: string; code?: string; message: string; param?: string },
  ) {
    super(fields.message);
  }
}

const seconds = () => Math.floor(Date.now() / 1000);

/**
 * Stripe, as far as our server sees it: over HTTP on loopback the calls that we use, with form-encoded bodies, and events that
 * Stripe's own package signs. `stripe-mock` has no Checkout. Shows that our side works, not that Stripe behaves so.
 */
export class StripeService {
  readonly customers = new Map<string, StoredCustomer>();
  readonly sessions = new Map<string, StoredSession>();
  readonly subscriptions = new Map<string, StoredSubscription>();
  readonly price = { unit_amount: 1_200, currency: 'usd', interval: 'month', interval_count: 1 };
  /** `METHOD path` of each call. */
  readonly calls: string[] = [];
  /** Statuses with which the next calls are answered. */
  readonly refusals: number[] = [];
  /** Called before a call is answered, after its answer was computed. */
  delayAnswer: (call: string) => Promise<void> = async () => undefined;
  readonly #answers = new Map<string, { status: number; body: object }>();
  readonly #server = createServer((request, response) => void this.#handle(request, response));

  static async start(): Promise<StripeService> {
    const service = new StripeService();
    await new Promise<void>((resolve) => service.#server.listen(0, '127.0.0.1', resolve));
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The variables that connect a product to it. */
  get variables(): Record<string, string> {
    return {
      STRIPE_SECRET_KEY: SECRET_KEY,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_PRICE_PREMIUM: PRICE,
      STRIPE_API_URL: this.url,
    };
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** What happens when the user pays on the page of the checkout. */
  completeCheckout(sessionId: string): StoredSubscription {
    const session = this.#find(this.sessions, sessionId, 'checkout.session');
    if (session.status !== 'open') throw new Error(`The checkout is ${session.status}.`);
    if (this.customers.get(session.customer)?.deleted) throw new Error('The customer was deleted.');
    const { trialDays, metadata, price, quantity } = session.hidden;
    const subscription = this.addSubscription(session.customer, { metadata, price, quantity, trialDays });
    Object.assign(session, {
      status: 'complete',
      url: null,
      subscription: subscription.id,
      payment_status: trialDays > 0 ? 'no_payment_required' : 'paid',
    });
    return subscription;
  }

  addCustomer(
    email: Fields[string] = '',
    name: Fields[string] = '',
    metadata: Fields[string] = {},
  ): StoredCustomer {
    const customer: StoredCustomer = {
      id: `cus_${randomUUID().replaceAll('-', '')}`,
      object: 'customer',
      email: textOf(email) || null,
      name: textOf(name) || null,
      metadata: metadata as Record<string, string>,
    };
    this.customers.set(customer.id, customer);
    return customer;
  }

  /** @param startedAt beginning of the current period, in seconds since 1970 */
  addSubscription(
    customer: string,
    { metadata = {}, price = PRICE, quantity = 1, trialDays = 0, startedAt = seconds() } = {},
  ): StoredSubscription {
    const end = startedAt + (trialDays > 0 ? trialDays * DAY : MONTH);
    const subscription: StoredSubscription = {
      id: `sub_${randomUUID().replaceAll('-', '')}`,
      object: 'subscription',
      customer,
      status: trialDays > 0 ? 'trialing' : 'active',
      metadata,
      start_date: startedAt,
      created: startedAt,
      trial_start: trialDays > 0 ? startedAt : null,
      trial_end: trialDays > 0 ? end : null,
      cancel_at_period_end: false,
      cancel_at: null,
      canceled_at: null,
      ended_at: null,
      schedule: null,
      items: {
        object: 'list',
        data: [
          {
            id: `si_${randomUUID().replaceAll('-', '')}`,
            object: 'subscription_item',
            quantity,
            price: {
              id: price,
              object: 'price',
              lookup_key: null,
              recurring: { interval: 'month', usage_type: 'licensed' },
            },
            current_period_start: startedAt,
            current_period_end: end,
          },
        ],
      },
    };
    this.subscriptions.set(subscription.id, subscription);
    return subscription;
  }

  /** Begins the next period. @param isPaid false if the payment fails */
  renew(subscription: StoredSubscription, isPaid = true, startedAt = seconds()): void {
    const [item] = subscription.items.data;
    Object.assign(item!, { current_period_start: startedAt, current_period_end: startedAt + MONTH });
    subscription.status = isPaid ? 'active' : 'past_due';
  }

  cancelAtPeriodEnd(subscription: StoredSubscription): void {
    subscription.cancel_at_period_end = true;
    subscription.cancel_at = subscription.items.data[0]!.current_period_end;
    subscription.canceled_at = seconds();
  }

  end(subscription: StoredSubscription, status: Status = 'canceled'): void {
    subscription.status = status;
    if (status === 'canceled') subscription.ended_at = seconds();
  }

  /** The request of a webhook, with its signature. The object is copied, as it is now. */
  webhook(
    type: string,
    object: object,
    { id = `evt_${randomUUID()}`, at = seconds(), secret = WEBHOOK_SECRET } = {},
  ) {
    const body = JSON.stringify({
      id,
      object: 'event',
      type,
      created: at,
      livemode: false,
      data: { object: visible(object) },
    });
    const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp: at });
    return {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Stripe-Signature': signature },
      body,
    };
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    const call = `${request.method} ${url.pathname}`;
    this.calls.push(call);
    const { status, body } = await this.#answerOnce(request, url);
    await this.delayAnswer(call);
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  }

  async #answerOnce(request: IncomingMessage, url: URL): Promise<{ status: number; body: object }> {
    const key = request.headers['idempotency-key'];
    const earlier = this.#answers.get(String(key));
    if (earlier) return earlier;
    const answer = await this.#tryAnswer(request, url);
    if (typeof key === 'string' && answer.status < 500) this.#answers.set(key, answer);
    return answer;
  }

  async #tryAnswer(request: IncomingMessage, url: URL): Promise<{ status: number; body: object }> {
    let text = '';
    for await (const piece of request.setEncoding('utf8')) text += piece as string;
    try {
      const refused = this.refusals.shift();
      if (refused) throw new Refusal(refused, { type: 'api_error', message: 'Refused' });
      if (request.headers.authorization !== `Bearer ${SECRET_KEY}`)
        throw new Refusal(401, { type: 'invalid_request_error', message: 'Invalid API Key provided' });
      if (!request.headers['stripe-version']) throw new Error('No version of the API');
      const body = this.#answer(`${request.method} ${url.pathname}`, toFields(text || url.search.slice(1)));
      return { status: 200, body: visible(body) };
    } catch (error) {
      if (error instanceof Refusal) return { status: error.status, body: { error: error.fields } };
      return { status: 500, body: { error: { type: 'api_error', message: String(error) } } };
    }
  }

  #answer(call: string, fields: Fields): object {
    const [, kind = '', id = '', action = ''] =
      /^\w+ \/v1\/(customers|prices|subscriptions|checkout\/sessions|billing_portal\/sessions)(?:\/(\w+))?(?:\/(\w+))?$/.exec(
        call,
      ) ?? [];
    const method = call.split(' ')[0];
    switch (`${method} ${kind}${id && (id === 'search' ? '/search' : '/:id')}${action && `/${action}`}`) {
      case 'GET customers/search':
        return { object: 'search_result', data: this.#search(textOf(fields.query)), has_more: false };
      case 'POST customers':
        return this.addCustomer(fields.email, fields.name, fields.metadata);
      case 'GET customers/:id':
        return this.#find(this.customers, id, 'customer');
      case 'POST customers/:id':
        return Object.assign(this.#find(this.customers, id, 'customer'), fields);
      case 'DELETE customers/:id':
        return this.#deleteCustomer(id);
      case 'GET prices/:id':
        if (id !== PRICE) throw missing('price', id);
        return this.#priceOf(id);
      case 'GET subscriptions':
        return this.#list(
          [...this.subscriptions.values()].filter(
            ({ customer, status }) =>
              customer === fields.customer && (fields.status === 'all' || status !== 'canceled'),
          ),
        );
      case 'GET subscriptions/:id':
        return this.#find(this.subscriptions, id, 'subscription');
      case 'POST checkout/sessions':
        return this.#createSession(fields);
      case 'GET checkout/sessions':
        return this.#list(
          [...this.sessions.values()].filter(
            ({ customer, status }) => customer === fields.customer && status === fields.status,
          ),
        );
      case 'GET checkout/sessions/:id':
        return this.#find(this.sessions, id, 'checkout.session');
      case 'POST checkout/sessions/:id/expire':
        return Object.assign(this.#find(this.sessions, id, 'checkout.session'), {
          status: 'expired',
          url: null,
        });
      case 'POST billing_portal/sessions':
        this.#requireCustomer(textOf(fields.customer));
        return {
          id: `bps_${randomUUID()}`,
          object: 'billing_portal.session',
          url: `${this.url}/portal/${textOf(fields.customer)}`,
          return_url: fields.return_url,
        };
      default:
        throw new Refusal(404, {
          type: 'invalid_request_error',
          message: `Unrecognized request URL (${call})`,
        });
    }
  }

  #priceOf(id: string): object {
    const { unit_amount, currency, interval, interval_count } = this.price;
    const recurring = { interval, interval_count, usage_type: 'licensed' };
    return { id, object: 'price', unit_amount, currency, recurring };
  }

  /** Newest first, as Stripe lists. */
  #list = (data: object[]) => ({ object: 'list', data: data.reverse(), has_more: false });

  #search(query: string): StoredCustomer[] {
    const email = /email:"([^"]*)"/.exec(query)?.[1];
    return [...this.customers.values()].filter((one) => !one.deleted && one.email === email).slice(0, 1);
  }

  #deleteCustomer(id: string): object {
    this.#requireCustomer(id);
    for (const one of this.subscriptions.values())
      if (one.customer === id && one.status !== 'canceled') this.end(one);
    this.customers.set(id, {
      id,
      object: 'customer',
      deleted: true,
      email: null,
      name: null,
      metadata: {},
    });
    return { id, object: 'customer', deleted: true };
  }

  #createSession(fields: Fields): StoredSession {
    const invalid = (param: string) =>
      new Refusal(400, { type: 'invalid_request_error', message: `Invalid ${param}`, param });
    this.#requireCustomer(textOf(fields.customer));
    if (fields.mode !== 'subscription') throw invalid('mode');
    if (fields.customer_email !== undefined) throw invalid('customer_email');
    const successUrl = textOf(fields.success_url);
    if (!URL.canParse(successUrl)) throw invalid('success_url');
    const [item] = Object.values(fields.line_items as Fields) as Fields[];
    if (item?.price !== PRICE) throw missing('price', textOf(item?.price));
    const data = (fields.subscription_data ?? {}) as Fields;
    const trialDays = Number(data.trial_period_days ?? 0);
    if (data.trial_period_days !== undefined && !(trialDays >= 1)) throw invalid('trial_period_days');
    const id = `cs_test_${randomUUID().replaceAll('-', '')}`;
    const session: StoredSession = {
      id,
      object: 'checkout.session',
      url: `${this.url}/pay/${id}`,
      status: 'open',
      customer: textOf(fields.customer),
      subscription: null,
      payment_status: 'unpaid',
      client_reference_id: (fields.client_reference_id as string | undefined) ?? null,
      success_url: successUrl.replaceAll('{CHECKOUT_SESSION_ID}', id),
      cancel_url: (fields.cancel_url as string | undefined) ?? null,
      metadata: (fields.metadata as Record<string, string> | undefined) ?? {},
      mode: 'subscription',
      hidden: {
        trialDays,
        price: PRICE,
        quantity: Number(item.quantity ?? 1),
        metadata: (data.metadata as Record<string, string> | undefined) ?? {},
      },
    };
    this.sessions.set(id, session);
    return session;
  }

  #requireCustomer(id: string): void {
    if (this.#find(this.customers, id, 'customer').deleted) throw missing('customer', id);
  }

  #find<T>(objects: Map<string, T>, id: string, kind: string): T {
    const found = objects.get(id);
    if (!found) throw missing(kind, id);
    return found;
  }
}

const missing = (kind: string, id: string) =>
  new Refusal(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${kind}: '${id}'`,
    param: 'id',
  });

const textOf = (value: string | Fields | undefined) => (typeof value === 'string' ? value : '');

/** A copy without the fields that Stripe does not show. */
const visible = (object: object): object =>
  JSON.parse(
    JSON.stringify(object, (name, value: unknown) => (name === 'hidden' ? undefined : value)),
  ) as object;

/** Parses a form with names such as `line_items[0][price]`. */
function toFields(text: string): Fields {
  const fields: Fields = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/[[\]]+/).filter(Boolean);
    const last = path.pop()!;
    let target = fields;
    for (const part of path) target = (target[part] ??= {}) as Fields;
    target[last] = value;
  }
  return fields;
}
