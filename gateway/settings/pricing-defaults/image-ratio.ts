/** Factors for image tokens. Built in (spec/relay.md §6.1). */
export const imageRatio: Readonly<Record<string, number>> = {
  'gpt-image-1': 2,
}
