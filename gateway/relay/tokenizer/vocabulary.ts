import { CL100K_TOKEN_SPLIT_REGEX, O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants'
import type { Encoding } from './encoding.ts'
import { buildRanks, type Ranks } from './ranks.ts'

/** The loaded tables; they are shared between threads without copying. */
export type Vocabularies = Partial<Record<Encoding, Ranks>>

export const patterns: Readonly<Record<Encoding, RegExp>> = {
  o200k_base: O200K_TOKEN_SPLIT_REGEX,
  cl100k_base: CL100K_TOKEN_SPLIT_REGEX,
}

const modules = {
  o200k_base: () => import('gpt-tokenizer/bpeRanks/o200k_base'),
  cl100k_base: () => import('gpt-tokenizer/bpeRanks/cl100k_base'),
} as const satisfies Record<Encoding, () => Promise<unknown>>

/** Loads the published vocabulary and builds its table: 0.2 s, and 60 MB for the lifetime of the calling thread. */
export async function loadRanks(encoding: Encoding): Promise<Ranks> {
  const { default: vocabulary } = await modules[encoding]()
  return buildRanks(vocabulary)
}
