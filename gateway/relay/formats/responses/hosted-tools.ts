import { type JsonObject, objectIn, objectsIn, textIn } from '../../../base/json/json.ts'
import { UntrustedMap } from '../../../base/untrusted-keys.ts'
import {
  gigabytesOf,
  MAX_SEARCHES,
  maxTokensOfImage,
  type SecondModelUsage,
  searchCount,
  type ToolUsage,
  tokenCount,
  usageOf,
} from '../../../billing/usage.ts'
import { SEARCH_CALL } from './search-item.ts'

const MAX_CONTAINERS = 10

/**
 * Counts the calls of OpenAI's own tools among the items of a response (docs/reference/billing.md#tools). A class: one
 * is created for each response.
 */
export class HostedTools {
  #webSearches = 0
  #fileSearches = 0
  #pictures = 0
  /**
   * An estimate for the images if the response does not report them; models that generate images themselves include
   * them in their output.
   */
  #imageTokens = 0
  /** Containers by id, since each is billed once; `code` and `shell` may request different sizes. */
  readonly #containers = new UntrustedMap<string, 'code_interpreter' | 'shell'>()

  /**
   * Counts an item in its final state if it is a call of one of these tools; returns whether it counts. Opening or
   * searching a found page costs nothing more, and does not count.
   */
  note({ type, action, container_id, environment, result, quality }: JsonObject): boolean {
    if (type === SEARCH_CALL && !isOfPage(action)) this.#webSearches += 1
    else if (type === 'file_search_call') this.#fileSearches += 1
    else if (type === 'code_interpreter_call') this.#addContainer(textIn(container_id) ?? '', 'code_interpreter')
    else if (type === 'shell_call') {
      const { container_id: own } = objectIn(environment)
      if (typeof own !== 'string') return false
      this.#addContainer(own, 'shell')
    } else if (type === 'image_generation_call' && typeof result === 'string') {
      this.#pictures += 1
      this.#imageTokens += maxTokensOfImage(quality)
    } else return false
    return true
  }

  /**
   * Returns the usage so far; `tools` are those that the beginning of the response lists. Undefined without counted
   * calls.
   */
  usedSoFar(tools: unknown): ToolUsage | undefined {
    const used = this.used({ tools })
    const calls = this.#webSearches + this.#fileSearches + this.#containers.size + this.#pictures
    if (calls === 0) return undefined
    const tokens = usageOf({ completion: this.#imageTokens })
    return this.#pictures > 0 ? { ...used, secondModel: { calls: this.#pictures, tokens } } : used
  }

  /** One container serves a whole response; a vendor that lists more than a few is not really running them. */
  #addContainer(id: string, kind: 'code_interpreter' | 'shell'): void {
    if (this.#containers.size < MAX_CONTAINERS || this.#containers.has(id)) this.#containers.set(id, kind)
  }

  /** Returns the total usage; figures in the response take precedence over counts. */
  used({ tool_usage, tools }: JsonObject): ToolUsage {
    const reported = objectIn(tool_usage)
    const sizes = { code_interpreter: sizeOf(tools, 'code_interpreter'), shell: sizeOf(tools, 'shell') }
    let containerGigabytes = 0
    for (const kind of this.#containers.values()) containerGigabytes += sizes[kind]
    return {
      webSearches: searchCount(objectIn(reported.web_search).num_requests) ?? Math.min(this.#webSearches, MAX_SEARCHES),
      fileSearches: Math.min(this.#fileSearches, MAX_SEARCHES),
      containerGigabytes,
      secondModel: this.#drawn(objectIn(reported.image_gen), toolOfKind(tools, 'image_generation') !== undefined),
    }
  }

  /** Reads the usage of the image model (OpenAI's API reference, "Responses": `tool_usage.image_gen`). */
  #drawn(wire: JsonObject, isAsked: boolean): SecondModelUsage | null {
    const read = objectIn(wire.input_tokens_details)
    const cached = objectIn(wire.cached_tokens_details)
    const prompt = tokenCount(wire.input_tokens) ?? 0
    const completion = tokenCount(wire.output_tokens) ?? (isAsked ? this.#imageTokens : 0)
    if (prompt + completion === 0) return null
    const cachedImages = tokenCount(cached.cached_image_tokens) ?? 0
    const imageInput = Math.max((tokenCount(read.image_tokens) ?? 0) - cachedImages, 0)
    const cacheRead = Math.min(tokenCount(wire.cached_tokens) ?? 0, prompt)
    return { calls: Math.max(this.#pictures, 1), tokens: usageOf({ prompt, imageInput, cacheRead, completion }) }
  }
}

const toolOfKind = (tools: unknown, kind: string): JsonObject | undefined =>
  objectsIn(tools).find(({ type }) => type === kind)

const isOfPage = (action: unknown): boolean =>
  ['open_page', 'find_in_page', 'find'].includes(textIn(objectIn(action).type) ?? '')

/** Returns the memory that a tool requested, as repeated in the response, in gigabytes; 1 by default. */
function sizeOf(tools: unknown, kind: string): number {
  const tool = toolOfKind(tools, kind)
  return gigabytesOf(objectIn(tool?.container ?? tool?.environment).memory_limit)
}
