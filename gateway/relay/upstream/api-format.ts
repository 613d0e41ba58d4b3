import { flagIn, isObject, objectIn, objectsIn, textIn } from '../../base/json/json.ts'
import type { ApiFormat, ApiFormatRule } from '../capabilities/chat-models.ts'
import type { Json } from '../formats/codec.ts'
import type { ConversationEndpoint } from '../model/endpoint.ts'

type FormatQuery = Readonly<{ endpoint: ConversationEndpoint; json: Json }>

/**
 * The API format that a rule requires for a request (docs/reference/conversion.md#chat-or-responses); undefined if
 * either will do. `effort` is the reasoning effort set by the channel or the model's name, which overrides the request.
 */
export function formatUnder(
  rule: ApiFormatRule,
  { endpoint, json }: FormatQuery,
  effort: unknown,
): ApiFormat | undefined {
  if (rule === 'chat' || rule === 'responses') return rule
  if (endpoint === 'responses') return undefined
  if (hasHosted[endpoint](json)) return 'responses'
  if (rule === 'hosted-tools' || !hasTools(json)) return undefined
  if (rule === 'tools') return 'responses'
  const thought = effortThought(effort) ?? thoughtIn[endpoint](json)
  const isNeeded = rule === 'tools-unless-off' ? thought !== 'off' : thought !== undefined
  return isNeeded ? 'responses' : undefined
}

/**
 * Whether a request has a tool that OpenAI runs in Responses. In Chat Completions, OpenAI runs only the search, and
 * only for some models.
 */
const hasHosted: Readonly<Record<Exclude<ConversationEndpoint, 'responses'>, (json: Json) => boolean>> = {
  chat: ({ web_search_options: search }) => isObject(search),
  messages: ({ tools }) => objectsIn(tools).some(({ type }) => typeof type === 'string' && HOSTED.test(type)),
  generate: ({ tools }) => objectsIn(tools).some((tool) => GOOGLES.some((name) => tool[name] !== undefined)),
}
const HOSTED = /^(web_search|code_execution)_\d/
const GOOGLES = ['googleSearch', 'google_search', 'codeExecution', 'code_execution']

/** Tools of any dialect, including the legacy functions of Chat. */
const hasTools = ({ tools, functions }: Json): boolean => isFilled(tools) || isFilled(functions)

const isFilled = (value: unknown): boolean => Array.isArray(value) && value.length > 0

/** The reasoning that a request sets; undefined leaves it to the model. */
type Thought = 'wanted' | 'off' | undefined

const effortThought = (effort: unknown): Thought => {
  if (typeof effort !== 'string' || effort === '') return undefined
  return effort === 'none' ? 'off' : 'wanted'
}

const thoughtIn: Readonly<Record<Exclude<ConversationEndpoint, 'responses'>, (json: Json) => Thought>> = {
  chat({ reasoning_effort: effort, reasoning, thinking }) {
    const router = objectIn(reasoning)
    const enabled = flagIn(router.enabled)
    const routed = enabled === undefined ? budgetThought(router.max_tokens) : switched(enabled)
    return effortThought(effort) ?? effortThought(router.effort) ?? routed ?? typeThought(thinking)
  },
  messages: ({ thinking, output_config: config }) =>
    typeThought(thinking) === 'off' ? 'off' : (effortThought(objectIn(config).effort) ?? typeThought(thinking)),
  generate({ generationConfig, generation_config }) {
    const config = objectIn(generationConfig ?? generation_config)
    const thinking = objectIn(config.thinkingConfig ?? config.thinking_config)
    const budget = budgetThought(thinking.thinkingBudget ?? thinking.thinking_budget)
    const shown = flagIn(thinking.includeThoughts ?? thinking.include_thoughts) === true ? 'wanted' : undefined
    return effortThought(thinking.thinkingLevel ?? thinking.thinking_level) ?? budget ?? shown
  },
}

const switched = (isOn: boolean): Thought => (isOn ? 'wanted' : 'off')

const budgetThought = (budget: unknown): Thought => (typeof budget === 'number' ? switched(budget !== 0) : undefined)

/** Anthropic's `thinking`, which other vendors have adopted. */
function typeThought(thinking: unknown): Thought {
  const type = textIn(objectIn(thinking).type)
  return type === undefined ? undefined : switched(type !== 'disabled')
}
