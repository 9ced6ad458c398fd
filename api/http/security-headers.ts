import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { Config } from '#libs/config/environment.js';
import { ownOrigins } from '#libs/config/own-origins.js';

/** Browser features that no page of ours uses. */
const PERMISSIONS = 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()';

/** The headers of every answer. Scripts come from our own files alone; inline styles are allowed, as libraries insert them. */
export function securityHeaders({
  publicUrl,
  accounts,
}: Pick<Config, 'publicUrl' | 'accounts'>): RequestHandler[] {
  // Browsers reject IPv6 addresses in a policy, with an error on each page's console.
  const origins = ownOrigins(publicUrl).filter((origin) => !origin.includes('['));
  const sockets = origins.map((origin) => origin.replace(/^http/, 'ws'));
  // File URLs use one origin, and the page may be open under another name of this machine.
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

/** @param files origins of stored files, besides the page's own */
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

/** The origins at which browsers reach Clerk; none behind a proxy on our own origin. */
function clerkOrigins({ proxyUrl, frontendApi }: Extract<Config['accounts'], { kind: 'clerk' }>): string[] {
  if (proxyUrl === null) return [frontendApi];
  return proxyUrl.startsWith('http') ? [new URL(proxyUrl).origin] : [];
}

/**
 * Clerk's components are loaded from its host (or through our own origin), show pictures from its image host, guard
 * sign-up with Cloudflare's challenge, and take payments in Stripe's frames.
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
