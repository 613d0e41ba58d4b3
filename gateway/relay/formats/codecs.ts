import { anthropic } from './anthropic/codec.ts'
import { restoring } from './client-calls.ts'
import type { Codec } from './codec.ts'
import type { Format } from './format.ts'
import { gemini } from './gemini/codec.ts'
import { openai } from './openai/codec.ts'
import { responses } from './responses/codec.ts'

export type Codecs = Readonly<Record<Format, Codec>>

export const createCodecs = (newCallId: () => string): Codecs => ({
  openai: restoring(openai),
  responses: restoring(responses),
  anthropic: restoring(anthropic),
  gemini: restoring(gemini(newCallId)),
})
