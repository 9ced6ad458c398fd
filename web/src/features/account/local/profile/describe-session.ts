/** Patterns of user agents with the browser's name. Order matters: user agents contain the names of other browsers too. */
const browsers: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|OPT)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|HeadlessChrome|Chromium|CriOS)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
];
const devices: [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b|\bMac OS X\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
];

const nameIn = (names: [RegExp, string][], text: string) =>
  names.find(([pattern]) => pattern.test(text))?.[1];

export function describeBrowser(userAgent: string | null): string {
  const browser = nameIn(browsers, userAgent ?? '');
  const device = nameIn(devices, userAgent ?? '');
  if (browser === undefined) return device === undefined ? 'Unknown browser' : `A browser on ${device}`;
  return device === undefined ? browser : `${browser} on ${device}`;
}

const HOUR = 3_600_000;
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' });

/** Text such as "Last seen 3 hours ago". The server stores the time with an accuracy of one hour. */
export function describeLastSeen(lastSeenAt: string, now: number): string {
  const hours = Math.floor((now - Date.parse(lastSeenAt)) / HOUR);
  if (hours < 1) return 'Active within the last hour';
  if (hours < 24) return `Last seen ${relative.format(-hours, 'hour')}`;
  const days = Math.floor(hours / 24);
  if (days < 8) return `Last seen ${relative.format(-days, 'day')}`;
  return `Last seen on ${day.format(new Date(lastSeenAt))}`;
}
