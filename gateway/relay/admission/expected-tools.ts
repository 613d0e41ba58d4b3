import { isObject, type JsonObject, numberIn, objectIn, objectsIn, textIn } from '../../base/json/json.ts'
import type { PotentialExtras } from '../../billing/billable-extras.ts'
import { gigabytesOf, maxTokensOfImage, usageOf } from '../../billing/usage.ts'
import { PER_IMAGE } from '../intake/known-input.ts'
import type { Call } from '../model/call.ts'

/** Tools that clients run; all others are the vendor's. */
const CLIENTS_TOOL = /^(function|custom|bash_|text_editor_|computer_|memory_|local_shell|shell|apply_patch)/
/** Tools of vendors of which it is known what they may cost. One of any other type may read files of any length. */
const KNOWN_TOOL =
  /^(web_search|file_search|code_interpreter|code_execution_|image_generation|advisor_|tool_search|namespace)/

/** Functions that Gemini gets as tools of its own (formats/gemini/tools-out.ts). */
const GEMINIS_FUNCTIONS: ReadonlySet<string> = new Set(['googleSearch', 'codeExecution', 'urlContext'])
/** Entries of Gemini's `tools`; those that are neither searches nor without a cost may read pages and files of any length. */
const SEARCHES = /search|retrieval|maps/i
const FREE_ENTRY = /^(code_?execution|computer_?use)$/i

/** Whether a call has tools that its vendor runs, whose results are prompt again or have a price of their own. */
export const hasVendorTools = ({ json }: Call, searches: boolean): boolean =>
  json.web_search_options !== undefined ||
  searches ||
  hasServers(json) ||
  toolsIn(json).some((tool) => entriesOf(tool).length > 0 || isVendors(tool))

/** Tools and, of OpenAI's older form, functions. */
const toolsIn = (json: Readonly<JsonObject>): readonly JsonObject[] =>
  json.functions === undefined ? objectsIn(json.tools) : [...objectsIn(json.tools), ...objectsIn(json.functions)]

function isVendors(tool: JsonObject): boolean {
  const type = textIn(tool.type)
  return type !== undefined && (!CLIENTS_TOOL.test(type) || isInContainer(tool))
}

/** The names under which Gemini gets tools of its own: entries of its dialect, or functions of others named like them. */
function entriesOf(tool: JsonObject): readonly string[] {
  const name = textIn(tool.name) ?? textIn(objectIn(tool.function).name)
  if (name !== undefined) return GEMINIS_FUNCTIONS.has(name) ? [name] : NO_ENTRIES
  if (tool.type !== undefined || 'function' in tool) return NO_ENTRIES
  const { functionDeclarations, function_declarations, ...others } = tool
  return Object.keys(others)
}

const NO_ENTRIES: readonly string[] = []

/** How many tools may read pages, files or whatever a server of the caller's choice returns, into the prompt. */
export function toolsThatRead(json: Readonly<JsonObject>): number {
  let count = hasServers(json) ? 1 : 0
  for (const tool of toolsIn(json)) {
    const type = textIn(tool.type)
    if (type !== undefined && !CLIENTS_TOOL.test(type) && !KNOWN_TOOL.test(type)) count += 1
    for (const entry of entriesOf(tool)) if (!SEARCHES.test(entry) && !FREE_ENTRY.test(entry)) count += 1
  }
  return count
}

const hasServers = ({ mcp_servers }: Readonly<JsonObject>): boolean => objectsIn(mcp_servers).length > 0

/** What tools of the vendor may cost beside the tokens of the call (docs/reference/billing.md#hold). */
export type PossibleTools = Pick<PotentialExtras, 'webSearches' | 'fileSearches' | 'containerGigabytes' | 'secondModel'>

/** Searches of a call that says no number. */
const USUAL_SEARCHES = 5
/** Tokens of advice where the call sets no limit. */
const USUAL_ADVICE = 8192

/**
 * What tools of the vendor a call may bring about, `images` of its prompt before them; undefined for none. `searches`: a
 * model that may answer it searches for every answer.
 */
export function possibleToolsOf({ json, bytes }: Call, images: number, searches: boolean): PossibleTools | undefined {
  let webSearches = json.web_search_options !== undefined || searches ? 1 : 0
  let fileSearches = 0
  let containerGigabytes = 0
  let second = { calls: 0, prompt: 0, imageInput: 0, completion: 0 }
  const asked = countIn(json.max_tool_calls)
  const max = asked ?? USUAL_SEARCHES
  for (const tool of toolsIn(json)) {
    const type = textIn(tool.type) ?? ''
    for (const entry of entriesOf(tool)) if (SEARCHES.test(entry)) webSearches += max
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
    }
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
