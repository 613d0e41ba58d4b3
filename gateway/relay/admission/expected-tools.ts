import { isObject, type JsonObject, numberIn, objectIn, objectsIn, textIn } from '../../base/json/json.ts'
import type { PotentialExtras } from '../../billing/billable-extras.ts'
import { searchesAlways } from '../../billing/tool-prices.ts'
import { gigabytesOf, maxTokensOfImage, usageOf } from '../../billing/usage.ts'
import { PER_IMAGE } from '../intake/known-input.ts'
import type { Call } from '../model/call.ts'

/** Tools that clients run; all others are the vendor's. */
const CLIENTS_TOOL = /^(function|custom|bash_|text_editor_|computer_|memory_|local_shell|shell|apply_patch)/

/** Whether a call has tools that its vendor runs, whose results are prompt again or have a price of their own. */
export function hasVendorTools({ json, model }: Call): boolean {
  if (json.web_search_options !== undefined || searchesAlways(model)) return true
  return objectsIn(json.tools).some((tool) => {
    const { type, functionDeclarations, function_declarations, ...others } = tool
    if (typeof type === 'string') return !CLIENTS_TOOL.test(type) || isInContainer(tool)
    const isGemini = !('name' in others) && !('function' in others)
    return isGemini && Object.keys(others).length > 0
  })
}

/** What tools of the vendor may cost beside the tokens of the call (docs/reference/billing.md#hold). */
export type PossibleTools = Pick<PotentialExtras, 'webSearches' | 'fileSearches' | 'containerGigabytes' | 'secondModel'>

/** Searches of a call that says no number. */
const USUAL_SEARCHES = 5
/** Tokens of advice where the call sets no limit. */
const USUAL_ADVICE = 8192

/** What tools of the vendor a call may bring about, `images` of its prompt before them; undefined for none. */
export function possibleToolsOf({ json, model, bytes }: Call, images: number): PossibleTools | undefined {
  let webSearches = json.web_search_options !== undefined || searchesAlways(model) ? 1 : 0
  let fileSearches = 0
  let containerGigabytes = 0
  let second = { calls: 0, prompt: 0, imageInput: 0, completion: 0 }
  const asked = countIn(json.max_tool_calls)
  const max = asked ?? USUAL_SEARCHES
  for (const tool of objectsIn(json.tools)) {
    const type = textIn(tool.type) ?? ''
    if (type.startsWith('web_search')) webSearches += countIn(tool.max_uses) ?? max
    else if (type === 'file_search') fileSearches += max
    else if (type === 'code_interpreter' || isInContainer(tool)) containerGigabytes += sizeOf(tool)
    else if (type === 'image_generation') {
      const calls = asked ?? 1
      const imageInput = calls * images * PER_IMAGE
      second = { calls, prompt: imageInput, imageInput, completion: calls * maxTokensOfImage(tool.quality) }
    } else if (type.startsWith('advisor_')) {
      const calls = countIn(tool.max_uses) ?? 1
      const completion = calls * (countIn(tool.max_tokens) ?? USUAL_ADVICE)
      second = { calls, prompt: calls * bytes.length, imageInput: 0, completion }
    } else if ('googleSearch' in tool || 'google_search' in tool || 'googleSearchRetrieval' in tool) webSearches += max
  }
  if (webSearches + fileSearches + containerGigabytes + second.calls === 0) return undefined
  const { calls, ...tokens } = second
  const secondModel = calls > 0 ? { calls, tokens: usageOf(tokens) } : null
  return { webSearches, fileSearches, containerGigabytes, secondModel }
}

/** How often a vendor may read the prompt: once more after each of its tools, and to sum up what was said. */
export function passesOf(json: JsonObject, tools: PossibleTools | undefined): number {
  const { webSearches = 0, fileSearches = 0, containerGigabytes = 0 } = tools ?? {}
  return 1 + webSearches + fileSearches + (containerGigabytes > 0 ? USUAL_SEARCHES : 0) + (isSummedUp(json) ? 1 : 0)
}

/** Whether the vendor may sum up what was said before it answers, which its last event tells the cost of (Anthropic, "Compaction"). */
export const isSummedUp = ({ context_management, compaction }: JsonObject): boolean =>
  isObject(compaction) ||
  objectsIn(objectIn(context_management).edits).some(({ type }) => textIn(type)?.startsWith('compact') === true)

/** OpenAI's shell runs in a container of its own where the caller does not run it ("Shell": hosted shell). */
const isInContainer = ({ type, environment }: JsonObject): boolean =>
  type === 'shell' && textIn(objectIn(environment).type)?.startsWith('container') === true

const sizeOf = ({ container, environment }: JsonObject): number =>
  gigabytesOf(objectIn(container ?? environment).memory_limit)

/** More than any vendor takes, and little enough to be reckoned with. */
const MAX_STATED = 1_000_000_000

/** How many of something the caller allows; a number below zero says nothing, for it would lend what nobody has. */
export function countIn(value: unknown): number | undefined {
  const said = numberIn(value)
  return said === undefined || said < 0 ? undefined : Math.min(said, MAX_STATED)
}
