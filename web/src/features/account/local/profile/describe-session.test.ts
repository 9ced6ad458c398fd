import { describe, expect, it } from '@jest/globals';
import { describeBrowser, describeLastSeen } from './describe-session.js';

describe('describeBrowser', () => {
  const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0';
  it.each([
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36`, 'Chrome on Windows'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36 Edg/140.0.0.0`, 'Edge on Windows'],
    [`Mozilla/5.0 (X11; Linux x86_64) ${chrome} Safari/537.36 OPR/120.0`, 'Opera on Linux'],
    [
      `Mozilla/5.0 (Linux; Android 14; SM-S918B) AppleWebKit/537.36 SamsungBrowser/27.0 Chrome/125.0 Mobile Safari/537.36`,
      'Samsung Internet on Android',
    ],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 14.6; rv:143.0) Gecko/20100101 Firefox/143.0', 'Firefox on Mac'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
      'Safari on Mac',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1',
      'Chrome on iPhone',
    ],
    [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${chrome} Safari/537.36`, 'Chrome on ChromeOS'],
    ['Something/1.0 (Windows)', 'A browser on Windows'],
    ['Firefox/1.0', 'Firefox'],
    ['curl/8.5.0', 'Unknown browser'],
    [null, 'Unknown browser'],
  ])('%s', (userAgent, words) => expect(describeBrowser(userAgent)).toBe(words));
});

describe('describeLastSeen', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');
  it.each([
    ['2026-11-21T11:01:00Z', 'Active within the last hour'],
    ['2026-11-21T12:00:30Z', 'Active within the last hour'],
    ['2026-11-21T11:00:00Z', 'Last seen 1 hour ago'],
    ['2026-11-20T12:30:00Z', 'Last seen 23 hours ago'],
    ['2026-11-20T11:00:00Z', 'Last seen yesterday'],
    ['2026-11-18T11:00:00Z', 'Last seen 3 days ago'],
    ['2026-11-02T11:00:00Z', 'Last seen on Nov 2, 2026'],
  ])('%s', (lastSeenAt, words) => expect(describeLastSeen(lastSeenAt, now)).toBe(words));
});
