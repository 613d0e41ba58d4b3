import { groupDigits } from '../../components/count.tsx'
import type { Message } from './conversation.ts'

/** Text that arrived in less than this time is considered to have arrived at once. */
const AT_ONCE_MS = 100

/** Milliseconds to the first text of an answer: from the usage log, else as measured by this browser. */
export const firstTokenMs = ({ spent, timing }: Pick<Message, 'spent' | 'timing'>): number | undefined =>
  spent?.firstMs ?? timing?.firstMs

/**
 * Tokens per second from the first text to the end, or over the whole time if it arrived at once; undefined if
 * unknown.
 */
export function tokensPerSecond({ spent, timing }: Pick<Message, 'spent' | 'timing'>): number | undefined {
  if (!spent || !timing || spent.completion === 0) return undefined
  const { firstMs = 0, totalMs } = timing
  const writing = totalMs - firstMs
  const milliseconds = writing < AT_ONCE_MS ? totalMs : writing
  return milliseconds > 0 ? spent.completion / (milliseconds / 1000) : undefined
}

/** Formats tokens per second: small numbers with one decimal. */
export const shortRate = (rate: number): string => (rate < 10 ? rate.toFixed(1) : groupDigits(Math.round(rate)))
