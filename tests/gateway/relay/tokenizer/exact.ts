import { countTokens as countCl100k } from 'gpt-tokenizer/encoding/cl100k_base'
import { countTokens as countO200k } from 'gpt-tokenizer/encoding/o200k_base'
import type { CountText } from '../../../../gateway/relay/tokenizer/byte-pairs.ts'
import type { Encoding } from '../../../../gateway/relay/tokenizer/encoding.ts'

const asText = { disallowedSpecial: new Set<string>() }

/** Counts by the published tokenizer, with special tokens such as `<|endoftext|>` treated as text. */
export const published: Readonly<Record<Encoding, CountText>> = {
  o200k_base: (text) => countO200k(text, asText),
  cl100k_base: (text) => countCl100k(text, asText),
}

/** Ordinary texts that users send. */
export const samples = {
  English:
    'The committee met on Tuesday to discuss the budget for the coming year. Although several members asked for more ' +
    'time, the chair insisted that a decision be made before the end of the month, since the builders could not wait. ' +
    'In the end they agreed on a plan that spends a little less on travel and a little more on the library.',
  Chinese:
    '委员会在星期二开会，讨论明年的预算。虽然有几位成员要求更多的时间，但主席坚持要在月底之前作出决定，因为施工队不能再等了。' +
    '最后大家同意了一个方案：旅行的费用少一点，图书馆的费用多一点。',
  code:
    'export function median(values: readonly number[]): number {\n  const sorted = [...values].sort((a, b) => a - b)\n' +
    '  const middle = Math.floor(sorted.length / 2)\n  if (sorted.length % 2 === 1) return sorted[middle] ?? 0\n' +
    '  return ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2\n}\n',
} as const
