/** No vendor answers with more choices than these. */
const MAX_CHOICES = 128

/**
 * Which choice of an answer one is that says this of its index and stands at that place among the others. What is said
 * counts where it can be kept by: a list that has a choice at four billion would be walked up to there.
 */
export function choiceIndex(said: unknown, place: number): number {
  const isKept = typeof said === 'number' && Number.isInteger(said) && said >= 0 && said < MAX_CHOICES
  return isKept ? said : place
}
