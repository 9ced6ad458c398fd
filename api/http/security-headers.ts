import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { ownOrigins } from '#libs/config/own-origins.js';

/** What no page of ours uses, and so none that gets in may. */
const PERMISSIONS = 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()';

/** The headers of every answer. Scripts come from our own files alone; inline styles are allowed, as libraries insert them. */
export function securityHeaders(publicUrl: string): RequestHandler[] {
  // A policy's host cannot be an IPv6 address: browsers refuse the source, with an error on each page's console.
  const origins = ownOrigins(publicUrl).filter((origin) => !origin.includes('['));
  const sockets = origins.map((origin) => origin.replace(/^http/, 'ws'));
  // Addresses of files name one origin, and the page may have been opened under another name of this machine.
  const files = origins.length > 1 ? origins : [];
  return [
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: policy(["'self'", ...sockets, ...files], files),
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

/** The API documentation tries calls of this origin out and opens no socket. */
export const documentationPolicy = (): RequestHandler =>
  helmet.contentSecurityPolicy({ useDefaults: false, directives: policy(["'self'"]) });

/** @param files origins of stored files, beside the page's own */
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
