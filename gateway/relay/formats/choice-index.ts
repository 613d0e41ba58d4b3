const MAX_CHOICES = 128

/**
 * Returns the index of a choice: the reported one if it is a valid index, otherwise its position. An index of four
 * billion, say, would make readers walk a list of that length.
 */
export function choiceIndex(reported: unknown, position: number): number {
  const isValid = typeof reported === 'number' && Number.isInteger(reported) && reported >= 0 && reported < MAX_CHOICES
  return isValid ? reported : position
}
