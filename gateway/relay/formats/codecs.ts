import { anthropic } from './anthropic/codec.ts'
import type { Codec } from './codec.ts'
import type { Format } from './format.ts'
import { gemini } from './gemini/codec.ts'
import { openai } from './openai/codec.ts'
import { responses } from './responses/codec.ts'

export type Codecs = Readonly<Record<Format, Codec>>

/** The codec of each dialect; `newCallId` names tool calls for vendors that leave them without an id. */
export const createCodecs = (newCallId: () => string): Codecs => ({
  openai,
  responses,
  anthropic,
  gemini: gemini(newCallId),
})
