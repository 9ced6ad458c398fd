import { logo } from '#libs/contract/logo.js';

const { size, center, ringRadius, dotRadius, lines, strokeWidth } = logo;

export function Logo() {
  return (
    <span className="inline-flex items-center gap-2.5">
      <svg
        aria-hidden="true"
        viewBox={`0 0 ${size} ${size}`}
        width={size}
        height={size}
        fill="none"
        stroke="currentColor"
        strokeWidth={strokeWidth}
      >
        <circle cx={center} cy={center} r={ringRadius} />
        <path d={lines} />
        <circle cx={center} cy={center} r={dotRadius} fill="var(--accent)" stroke="none" />
      </svg>
      <span className="display text-xl">Pressroom</span>
    </span>
  );
}
