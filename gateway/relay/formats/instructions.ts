import type { Turn } from './conversation.ts'

export const isInstruction = ({ role }: Pick<Turn, 'role'>): boolean => role === 'system' || role === 'developer'

/**
 * Separates the leading instructions from the dialogue. Later instructions are not moved, since that would change the
 * beginning of an ongoing conversation (docs/reference/conversion.md#append-only).
 */
export function instructionsApart(
  turns: readonly Turn[],
): Readonly<{ instructions: readonly Turn[]; dialogue: readonly Turn[] }> {
  const firstOther = turns.findIndex((turn) => !isInstruction(turn))
  const end = firstOther < 0 ? turns.length : firstOther
  return { instructions: turns.slice(0, end), dialogue: turns.slice(end) }
}

/** For vendors that accept no instructions after the first message: they become user turns. */
export const asUser = (turn: Turn): Turn => (isInstruction(turn) ? { ...turn, role: 'user' } : turn)
