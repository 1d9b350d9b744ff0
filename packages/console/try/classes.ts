/** What the classes are about, in a few words. */
export const CLASS_ABOUT = {
  primary: 'from a person, or needed now',
  promotions: 'advertising',
  updates: 'automated, but not advertising',
  transactions: 'about one purchase',
} as const
