import { groupDigits } from '../../components/count.tsx'
import type { Message } from './conversation.ts'

/** Below this an answer came all at once, and its last words are not set against its first. */
const AT_ONCE_MS = 100

/** Milliseconds to the first words of an answer: as the usage log has it, else as this browser saw it. */
export const firstTokenMs = ({ spent, timing }: Pick<Message, 'spent' | 'timing'>): number | undefined =>
  spent?.firstMs ?? timing?.firstMs

/** Tokens a second from the first words to the end, over the whole time where all came at once; undefined when unknown. */
export function tokensPerSecond({ spent, timing }: Pick<Message, 'spent' | 'timing'>): number | undefined {
  if (!spent || !timing || spent.completion === 0) return undefined
  const { firstMs = 0, totalMs } = timing
  const writing = totalMs - firstMs
  const milliseconds = writing < AT_ONCE_MS ? totalMs : writing
  return milliseconds > 0 ? spent.completion / (milliseconds / 1000) : undefined
}

/** Tokens a second as people read it: small numbers with one decimal. */
export const shortRate = (rate: number): string => (rate < 10 ? rate.toFixed(1) : groupDigits(Math.round(rate)))
