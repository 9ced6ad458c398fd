import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { Config } from '#libs/config/environment.js';
import { ownOrigins } from '#libs/config/own-origins.js';

/** Disables browser features that no page uses. */
const PERMISSIONS = 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()';

/**
 * Headers of every response. Scripts may only come from this server; inline styles are allowed, since libraries insert
 * them.
 */
export function securityHeaders({
  publicUrl,
  accounts,
}: Pick<Config, 'publicUrl' | 'accounts'>): RequestHandler[] {
  // Leave out IPv6 origins: browsers reject them in a policy and log an error on each page.
  const origins = ownOrigins(publicUrl).filter((origin) => !origin.includes('['));
  const sockets = origins.map((origin) => origin.replace(/^http/, 'ws'));
  // File URLs always use the origin of `publicUrl`, but the page may be open on another, such as localhost or
  // 127.0.0.1.
  const files = origins.length > 1 ? origins : [];
  return [
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: withAccounts(policy(["'self'", ...sockets, ...files], files), accounts),
      },
      strictTransportSecurity: publicUrl.startsWith('https:') ? { maxAge: 31_536_000 } : false,
      referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
      crossOriginOpenerPolicy: { policy: 'same-origin' },
      crossOriginResourcePolicy: { policy: 'same-origin' },
      xFrameOptions: { action: 'deny' },
    }),
    (_request, response, next) => {
      response.setHeader('Permissions-Policy', PERMISSIONS);
      next();
    },
  ];
}

export const documentationPolicy = (): RequestHandler =>
  helmet.contentSecurityPolicy({ useDefaults: false, directives: policy(["'self'"]) });

/** @param files additional origins of stored files */
const policy = (connectSrc: string[], files: string[] = []) => ({
  defaultSrc: ["'self'"],
  scriptSrc: ["'self'"],
  scriptSrcAttr: ["'none'"],
  styleSrc: ["'self'", "'unsafe-inline'"],
  imgSrc: ["'self'", ...files, 'data:', 'blob:'],
  fontSrc: ["'self'", 'data:'],
  connectSrc,
  objectSrc: ["'none'"],
  frameSrc: ["'none'"],
  frameAncestors: ["'none'"],
  baseUri: ["'none'"],
  formAction: ["'self'"],
});

/** Origins at which browsers reach Clerk. Empty if Clerk is proxied through this server's own origin. */
function clerkOrigins({ proxyUrl, frontendApi }: Extract<Config['accounts'], { kind: 'clerk' }>): string[] {
  if (proxyUrl === null) return [frontendApi];
  return proxyUrl.startsWith('http') ? [new URL(proxyUrl).origin] : [];
}

/**
 * Adds what Clerk's components need: scripts from Clerk's host (unless proxied through this origin), pictures from its
 * image host, Cloudflare's challenge at sign-up, and Stripe's frames for payments.
 * See https://clerk.com/docs/guides/secure/best-practices/csp-headers.
 */
function withAccounts(directives: ReturnType<typeof policy>, accounts: Config['accounts']) {
  if (accounts.kind !== 'clerk') return directives;
  const clerk = clerkOrigins(accounts);
  const stripe = ['https://js.stripe.com', 'https://*.js.stripe.com'];
  const challenge = 'https://challenges.cloudflare.com';
  return {
    ...directives,
    scriptSrc: [...directives.scriptSrc, ...clerk, challenge, ...stripe],
    connectSrc: [...directives.connectSrc, ...clerk, 'https://api.stripe.com'],
    imgSrc: [...directives.imgSrc, 'https://img.clerk.com'],
    workerSrc: ["'self'", 'blob:'],
    frameSrc: [challenge, ...stripe, 'https://hooks.stripe.com'],
  };
}
