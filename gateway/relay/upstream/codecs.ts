import { anthropic } from '../formats/anthropic/codec.ts'
import type { Codec } from '../formats/codec.ts'
import type { Format } from '../formats/format.ts'
import { gemini } from '../formats/gemini/codec.ts'
import { openai } from '../formats/openai/codec.ts'
import { responses } from '../formats/responses/codec.ts'

export type Codecs = Readonly<Record<Format, Codec>>

/** The codec of each dialect; `newCallId` names tool calls for vendors that leave them without an id. */
export const createCodecs = (newCallId: () => string): Codecs => ({
  openai,
  responses,
  anthropic,
  gemini: gemini(newCallId),
})
