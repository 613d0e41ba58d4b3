import type { Settings } from '../../settings/settings.ts'
import { type ModelWish, plainWish } from './no-suffix.ts'
import type { Endpoint } from '../intake/surface.ts'
import type { Call } from '../intake/parse.ts'
import { claudeWish } from './suffix-claude.ts'
import { geminiWish } from './suffix-gemini.ts'
import { openaiWish } from './suffix-openai.ts'

/** Reads the suffixes of a model's name that stand for ways of thinking, and what its family wants otherwise (spec/relay.md §2.3, §3.1, §3.5). */
export function wishOf(settings: Pick<Settings, 'get'>, call: Call, way: Endpoint, model: string): ModelWish {
  if (way === 'messages') return claudeWish(settings, call, model)
  if (way === 'generate') return geminiWish(settings, call, model)
  return way === 'chat' || way === 'responses' ? openaiWish(call, way, model) : plainWish(model)
}
