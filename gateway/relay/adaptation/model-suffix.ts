import type { Settings } from '../../settings/settings.ts'
import type { Call } from '../model/call.ts'
import type { Endpoint } from '../model/endpoint.ts'
import { type ModelSuffix, noSuffix } from './no-suffix.ts'
import { claudeSuffix } from './suffix-claude.ts'
import { geminiSuffix } from './suffix-gemini.ts'
import { openaiSuffix } from './suffix-openai.ts'

/** Reads the suffixes of a model's name that stand for ways of thinking, and what its family wants otherwise (spec/relay.md §2.3, §3.1, §3.5). */
export function modelSuffixOf(
  settings: Pick<Settings, 'get'>,
  call: Call,
  upstreamEndpoint: Endpoint,
  model: string,
): ModelSuffix {
  if (upstreamEndpoint === 'messages') return claudeSuffix(settings, call, model)
  if (upstreamEndpoint === 'generate') return geminiSuffix(settings, call, model)
  return upstreamEndpoint === 'chat' || upstreamEndpoint === 'responses'
    ? openaiSuffix(call, upstreamEndpoint, model)
    : noSuffix(model)
}
