import type { Turn } from './conversation.ts'

/** Whether a turn tells the model what to do: a system's or a developer's. */
export const isInstruction = ({ role }: Pick<Turn, 'role'>): boolean => role === 'system' || role === 'developer'

/**
 * A conversation's instructions, and what is said after them. Only those that it begins with: to move others there would
 * change the beginning of a conversation that goes on (docs/reference/conversion.md#append-only).
 */
export function instructionsApart(
  turns: readonly Turn[],
): Readonly<{ instructions: readonly Turn[]; said: readonly Turn[] }> {
  const begins = turns.findIndex((turn) => !isInstruction(turn))
  const end = begins < 0 ? turns.length : begins
  return { instructions: turns.slice(0, end), said: turns.slice(end) }
}

/** The turn of a vendor that takes no instructions after the first message: its user gives them. */
export const asUser = (turn: Turn): Turn => (isInstruction(turn) ? { ...turn, role: 'user' } : turn)
