import { objectIn, textIn } from '../../base/json.ts'
import { effortOf } from '../admission/expected-usage.ts'
import type { Call } from '../model/call.ts'

const LONGEST = 32
const SUFFIX = /^(?:o\d|gpt-5|claude-opus-4-[678]|gemini-3).*-(max|xhigh|high|medium|low|minimal|none)$/

/** How much a call asks its model to think: in its body, in any dialect, or at the end of the model's name. */
export function reasoningEffort({ json, model }: Call): string | undefined {
  const body = objectIn(json)
  const config = objectIn(body.generationConfig ?? body.generation_config)
  const thinking = objectIn(config.thinkingConfig ?? config.thinking_config)
  const level = textIn(thinking.thinkingLevel) ?? textIn(thinking.thinking_level)
  const said = effortOf(body) ?? level?.toLowerCase() ?? SUFFIX.exec(model)?.[1]
  return said?.slice(0, LONGEST)
}
