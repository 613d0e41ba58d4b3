import { isObject, type JsonObject, numberIn, objectIn, objectsIn, textIn } from '../../base/json/json.ts'
import type { PotentialExtras } from '../../billing/billable-extras.ts'
import { gigabytesOf, maxTokensOfImage, usageOf } from '../../billing/usage.ts'
import { PER_IMAGE } from '../intake/known-input.ts'
import type { Call } from '../model/call.ts'
import { switchedSearches } from './plain-members.ts'

/** Tools that clients run, except a shell in a container (`isInContainer`); the vendor runs all others. */
const CLIENT_TOOL = /^(function|custom|bash_|text_editor_|computer_|memory_|local_shell|shell|apply_patch)/
/** Vendor tools whose cost is bounded. Any other type may read files of any length. */
const KNOWN_TOOL =
  /^(web_search|file_search|code_interpreter|code_execution_|image_generation|advisor_|tool_search|namespace)/

/** Functions that Gemini gets as its built-in tools (formats/gemini/tools-out.ts). */
const GEMINI_FUNCTIONS: ReadonlySet<string> = new Set(['googleSearch', 'codeExecution', 'urlContext'])
/** Gemini's built-in tools in either spelling, which an entry may have next to members of other dialects. */
const GEMINI_TOOL =
  /^(google_?search|google_?search_?retrieval|enterprise_?web_?search|google_?maps|url_?context|code_?execution|file_?search)$/i
/** Entries of Gemini's `tools`; those that are neither searches nor free may read pages and files of any length. */
const SEARCHES = /search|retrieval|maps/i
const FREE_ENTRY = /^(code_?execution|computer_?use)$/i

/** Whether the vendor runs tools in the call, whose results count as prompt or have a separate price. */
export const hasVendorTools = ({ json }: Call, searches: boolean): boolean =>
  json.web_search_options !== undefined ||
  searches ||
  switchedSearches(json, 1) > 0 ||
  hasServers(json) ||
  toolsIn(json).some((tool) => entriesOf(tool).length > 0 || isVendors(tool))

/**
 * All tools that a vendor may get: those of `tools`, of OpenAI's older `functions`, of namespaces, and of items of
 * Responses that load some (formats/responses/tools-in.ts).
 */
export function toolsIn(json: Readonly<JsonObject>): readonly JsonObject[] {
  const tools: JsonObject[] = []
  addTools(json.tools, tools)
  if (json.functions !== undefined) addTools(json.functions, tools)
  if (Array.isArray(json.input))
    for (const item of json.input)
      if (isObject(item) && (item.type === 'additional_tools' || item.type === 'tool_search_output'))
        addTools(item.tools, tools)
  return tools
}

function addTools(value: unknown, tools: JsonObject[]): void {
  for (const tool of objectsIn(value)) {
    tools.push(tool)
    if (tool.type === 'namespace') addTools(tool.tools, tools)
  }
}

function isVendors(tool: JsonObject): boolean {
  const type = textIn(tool.type)
  return type !== undefined && (!CLIENT_TOOL.test(type) || isInContainer(tool))
}

/**
 * The names under which Gemini gets its built-in tools: entries of its dialect, or functions of other dialects with the
 * same name.
 */
function entriesOf(tool: JsonObject): readonly string[] {
  const entries: string[] = []
  const isOfGemini = tool.type === undefined && tool.name === undefined && !('function' in tool)
  for (const name in tool) if (isOfGemini ? !DECLARATIONS.test(name) : GEMINI_TOOL.test(name)) entries.push(name)
  for (const name of [tool.name, objectIn(tool.function).name, objectIn(tool.custom).name])
    if (typeof name === 'string' && GEMINI_FUNCTIONS.has(name)) entries.push(name)
  return entries
}

const DECLARATIONS = /^function_?[dD]eclarations$/

/** The number of tools that may add content of any length to the prompt: pages, files, or responses of servers. */
export function toolsThatRead(json: Readonly<JsonObject>): number {
  let count = hasServers(json) ? 1 : 0
  for (const tool of toolsIn(json)) {
    const type = textIn(tool.type)
    if (type !== undefined && !CLIENT_TOOL.test(type) && !KNOWN_TOOL.test(type)) count += 1
    for (const entry of entriesOf(tool)) if (!SEARCHES.test(entry) && !FREE_ENTRY.test(entry)) count += 1
  }
  return count
}

/** Whether the vendor calls a server that the request names, which receives output while the model works. */
export const callsServers = (json: Readonly<JsonObject>): boolean =>
  hasServers(json) || toolsIn(json).some(({ type, server_url }) => type === 'mcp' && server_url !== undefined)

const hasServers = ({ mcp_servers }: Readonly<JsonObject>): boolean => objectsIn(mcp_servers).length > 0

/** Possible usage of the vendor's tools (docs/reference/billing.md#hold). */
export type PossibleTools = Pick<PotentialExtras, 'webSearches' | 'fileSearches' | 'containerGigabytes' | 'secondModel'>

/** Searches reserved if the call sets no limit. */
const DEFAULT_SEARCHES = 5
/** Tokens of advice if the call sets no limit. */
const DEFAULT_ADVICE = 8192

/**
 * The maximum usage of the vendor's tools in a call; undefined without such tools. `images`: the number of images in
 * the prompt, which the image tool reads. `searches`: whether a model that may serve the call searches in every
 * response.
 */
export function possibleToolsOf({ json, bytes }: Call, images: number, searches: boolean): PossibleTools | undefined {
  const limit = countIn(json.max_tool_calls)
  const max = limit ?? DEFAULT_SEARCHES
  let webSearches = json.web_search_options !== undefined || searches ? 1 : switchedSearches(json, max)
  let fileSearches = 0
  let containerGigabytes = 0
  let second = { calls: 0, prompt: 0, imageInput: 0, completion: 0 }
  for (const tool of toolsIn(json)) {
    const type = textIn(tool.type) ?? ''
    for (const entry of entriesOf(tool)) if (SEARCHES.test(entry)) webSearches += max
    if (type.startsWith('web_search')) webSearches += countIn(tool.max_uses) ?? max
    else if (type === 'file_search') fileSearches += max
    else if (type === 'code_interpreter' || isInContainer(tool)) containerGigabytes += sizeOf(tool)
    else if (type === 'image_generation') {
      const calls = limit ?? 1
      const imageInput = calls * images * PER_IMAGE
      second = { calls, prompt: imageInput, imageInput, completion: calls * maxTokensOfImage(tool.quality) }
    } else if (type.startsWith('advisor_')) {
      const calls = countIn(tool.max_uses) ?? 1
      const completion = calls * (countIn(tool.max_tokens) ?? DEFAULT_ADVICE)
      second = { calls, prompt: calls * bytes.length, imageInput: 0, completion }
    }
  }
  if (webSearches + fileSearches + containerGigabytes + second.calls === 0) return undefined
  const { calls, ...tokens } = second
  const secondModel = calls > 0 ? { calls, tokens: usageOf(tokens) } : null
  return { webSearches, fileSearches, containerGigabytes, secondModel }
}

/**
 * What a search adds to the prompt, in tokens (Anthropic, "Streaming messages": 10,682 for one; OpenAI, "File search":
 * 20 pieces of 800).
 */
const PER_WEB_SEARCH = 15_000
const PER_FILE_SEARCH = 16_000

/** Tokens that the results of searches may add to the prompt. */
export const resultsOf = ({ webSearches = 0, fileSearches = 0 }: Partial<PossibleTools> = {}): number =>
  PER_WEB_SEARCH * webSearches + PER_FILE_SEARCH * fileSearches

/**
 * How often the vendor may read the prompt: once more after each search, five times more with a container, and once
 * more to compact the conversation.
 */
export function passesOf(json: JsonObject, tools: PossibleTools | undefined): number {
  const { webSearches = 0, fileSearches = 0, containerGigabytes = 0 } = tools ?? {}
  return 1 + webSearches + fileSearches + (containerGigabytes > 0 ? DEFAULT_SEARCHES : 0) + (isSummedUp(json) ? 1 : 0)
}

/** Whether the vendor may compact the conversation first; its last event reports the cost (Anthropic, "Compaction"). */
export const isSummedUp = ({ context_management, compaction }: JsonObject): boolean =>
  isObject(compaction) ||
  objectsIn(objectIn(context_management).edits).some(({ type }) => textIn(type)?.startsWith('compact') === true)

/** OpenAI's shell runs in a container unless the caller runs it ("Shell": hosted shell). */
const isInContainer = ({ type, environment }: JsonObject): boolean =>
  type === 'shell' && textIn(objectIn(environment).type)?.startsWith('container') === true

const sizeOf = ({ container, environment }: JsonObject): number =>
  gigabytesOf(objectIn(container ?? environment).memory_limit)

/** Max of a count that a caller states: above every vendor's limit, and small enough for exact arithmetic. */
const MAX_STATED = 1_000_000_000

/** A count that the caller allows; negative numbers are ignored, since they would lower the reservation. */
export function countIn(value: unknown): number | undefined {
  const count = numberIn(value)
  return count === undefined || count < 0 ? undefined : Math.min(count, MAX_STATED)
}
