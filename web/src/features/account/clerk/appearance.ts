import type { ClerkProviderProps } from '@clerk/react';

/**
 * The app's look, as it is now, for what Clerk draws. The values of our variables rather than their names: Clerk has
 * variables of the same names in what it draws, and computes shades of its own.
 */
export function appearance(): NonNullable<ClerkProviderProps['appearance']> {
  const styles = getComputedStyle(document.documentElement);
  const value = (name: string) => styles.getPropertyValue(name).trim();
  return {
    variables: {
      colorPrimary: value('--accent'),
      colorPrimaryForeground: value('--on-accent'),
      colorBackground: value('--raised'),
      colorForeground: value('--ink'),
      colorMuted: value('--sunken'),
      colorMutedForeground: value('--quiet'),
      colorNeutral: value('--ink'),
      colorInput: value('--page'),
      colorInputForeground: value('--ink'),
      colorRing: value('--accent'),
      colorDanger: value('--danger'),
      colorSuccess: value('--success'),
      colorWarning: value('--warning'),
      colorModalBackdrop: value('--shade'),
      fontFamily: value('--font-sans'),
      fontFamilyMono: value('--font-mono'),
      borderRadius: value('--radius-control'),
    },
    // The accent on the tint of the chosen page of a profile is too faint to read.
    elements: { navbarButtonText: { color: value('--ink') } },
  };
}
