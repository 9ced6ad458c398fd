export function PremiumBadge() {
  return <span className="font-mono text-xs text-premium">Premium</span>;
}
