import { z } from 'zod'
import { messageAnswer, messageError, messageStream } from '../anthropic.ts'
import type { Recorded } from '../upstream.ts'
import { faultsIn, rule, type Vendor } from './vendor.ts'

const cache_control = z.strictObject({ type: z.literal('ephemeral'), ttl: z.enum(['5m', '1h']).optional() }).nullish()
/** A cache mark of Claude Code, which the vendor accepts with its beta for the scope of prompt caching. */
const scoped = z
  .strictObject({
    type: z.literal('ephemeral'),
    ttl: z.enum(['5m', '1h']).optional(),
    scope: z.enum(['global', 'organization']).optional(),
  })
  .nullish()

const toolId = z.string().regex(/^[a-zA-Z0-9_-]+$/)
/** The GA pattern; Claude's own API allows up to 128 characters. */
const toolName = z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/)

/** The schema of a request, with the fields that a platform accepts beyond the common ones. */
export function messagesSchema(platform: 'anthropic' | 'bedrock') {
  const isOwn = platform === 'anthropic'
  const display = z.enum(isOwn ? ['summarized', 'omitted', 'updates'] : ['summarized', 'omitted']).nullish()
  const mark = isOwn ? scoped : cache_control
  const text = z.strictObject({
    type: z.literal('text'),
    text: z.string().regex(/\S/, 'text content blocks must contain non-whitespace text'),
    cache_control: mark,
    citations: z.array(z.unknown()).nullish(),
  })
  const media = z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])
  const base64 = z.strictObject({ type: z.literal('base64'), media_type: media, data: z.base64() })
  const url = z.strictObject({ type: z.literal('url'), url: z.string().startsWith('https://') })
  const image = z.strictObject({
    type: z.literal('image'),
    source: z.discriminatedUnion('type', isOwn ? [base64, url] : [base64]),
    cache_control: mark,
  })
  const document = z.strictObject({
    type: z.literal('document'),
    source: z.looseObject({ type: z.enum(['base64', 'text', 'url', 'content', 'file']) }),
    title: z.string().nullish(),
    context: z.string().nullish(),
    citations: z.strictObject({ enabled: z.boolean().optional() }).nullish(),
    cache_control: mark,
  })
  const search = z.strictObject({
    type: z.literal('search_result'),
    source: z.string(),
    title: z.string(),
    content: z.array(text),
    citations: z.unknown().optional(),
    cache_control: mark,
  })
  const reference = z.strictObject({ type: z.literal('tool_reference'), tool_name: z.string(), cache_control: mark })
  const toolUse = z.strictObject({
    type: z.literal('tool_use'),
    id: toolId,
    name: toolName,
    input: z.record(z.string(), z.unknown()),
    cache_control: mark,
    ...(isOwn ? { caller: z.looseObject({ type: z.string() }).optional() } : {}),
  })
  const toolResult = z.strictObject({
    type: z.literal('tool_result'),
    tool_use_id: toolId,
    content: z
      .union([z.string(), z.array(z.discriminatedUnion('type', [text, image, document, search, reference]))])
      .optional(),
    is_error: z.boolean().optional(),
    cache_control: mark,
  })
  const thinking = z.strictObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string().min(1) })
  const redacted = z.strictObject({ type: z.literal('redacted_thinking'), data: z.string() })
  const of = <Role extends string, Block extends readonly [z.ZodObject, ...z.ZodObject[]]>(role: Role, blocks: Block) =>
    z.strictObject({
      role: z.literal(role),
      content: z.union([z.string().regex(/\S/), z.array(z.discriminatedUnion('type', blocks as never)).min(1)]),
    })
  const tool = z.strictObject({
    name: toolName,
    description: z.string().optional(),
    input_schema: z
      .looseObject({ type: z.literal('object') })
      .refine((schema) => !['oneOf', 'anyOf', 'allOf'].some((word) => word in schema), {
        message: 'input_schema does not support oneOf, allOf, or anyOf at the top level',
      }),
    strict: z.boolean().optional(),
    type: z.literal('custom').nullish(),
    input_examples: z.array(z.record(z.string(), z.unknown())).optional(),
    cache_control: mark,
    defer_loading: z.boolean().optional(),
    ...(isOwn
      ? {
          eager_input_streaming: z.boolean().nullish(),
          allowed_callers: z.array(z.string()).optional(),
        }
      : {}),
  })
  const ownTool = z.looseObject({
    type: z.string().regex(/^(bash|text_editor|memory|computer|web_search|web_fetch|code_execution|tool_search_tool)_/),
    name: z.string(),
  })
  const beyond = {
    model: z.string().min(1),
    stream: z.boolean().optional(),
    metadata: z.strictObject({ user_id: z.string().max(256).nullish() }).optional(),
    service_tier: z.enum(['auto', 'standard_only']).optional(),
    speed: z.enum(['standard', 'fast']).nullish(),
    container: z.unknown().optional(),
    context_management: z.strictObject({ edits: z.array(z.looseObject({ type: z.string() })).optional() }).nullish(),
    diagnostics: z.strictObject({ previous_message_id: z.string().nullish() }).nullish(),
    mcp_servers: z.array(z.unknown()).optional(),
    // Sent by Claude Code in plan or auto mode.
    safeguards: z.array(z.looseObject({ type: z.string() })).optional(),
    cache_control: mark,
  }
  const hosted = {
    anthropic_version: z.literal('bedrock-2023-05-31'),
    anthropic_beta: z.array(z.string()).optional(),
    metadata: beyond.metadata,
    context_management: beyond.context_management,
  }
  return z.strictObject({
    ...(isOwn ? beyond : hosted),
    max_tokens: z.number().int().min(1),
    messages: z
      .array(
        z.discriminatedUnion('role', [
          of('user', [text, image, document, search, toolResult]),
          of('assistant', [text, thinking, redacted, toolUse]),
          ...(isOwn ? [of('system', [text])] : []),
        ]),
      )
      .min(1),
    system: z.union([z.string().min(1), z.array(text).min(1)]).optional(),
    tools: z.array(z.union([tool, ownTool])).optional(),
    tool_choice: z
      .strictObject({
        type: z.enum(['auto', 'any', 'tool', 'none']),
        name: z.string().optional(),
        disable_parallel_tool_use: z.boolean().optional(),
      })
      .optional(),
    temperature: z.number().min(0).max(1).optional(),
    top_p: z.number().min(0).max(1).optional(),
    top_k: z.number().int().min(0).optional(),
    stop_sequences: z.array(z.string().regex(/\S/)).optional(),
    thinking: z
      .discriminatedUnion('type', [
        z.strictObject({ type: z.literal('enabled'), budget_tokens: z.number().int().min(1024), display }),
        z.strictObject({ type: z.literal('adaptive'), display }),
        z.strictObject({ type: z.literal('disabled') }),
      ])
      .optional(),
    output_config: z
      .strictObject({
        effort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']).nullish(),
        format: z
          .strictObject({
            type: z.literal('json_schema'),
            schema: z.looseObject({ type: z.literal('object'), additionalProperties: z.literal(false) }),
          })
          .nullish(),
      })
      .optional(),
  })
}

const own = messagesSchema('anthropic')
/** A request to count tokens has the same fields except those about the response. */
const counted = own.partial({ max_tokens: true })
type Request = z.infer<typeof own>

/** Claude's Messages, as strict as its reference. */
export const anthropic: Vendor = {
  faults: (asked) => [
    ...rule(asked.headers['x-api-key'] !== undefined, 'the key must be in x-api-key'),
    ...rule(/^\d{4}-\d\d-\d\d$/.test(String(asked.headers['anthropic-version'])), 'anthropic-version must be said'),
    ...rule(/^\/v1\/messages(\/count_tokens)?(\?beta=true)?$/.test(asked.path), `no such path ${asked.path}`),
    ...(isCount(asked) ? faultsIn(counted, asked.json) : messagesFaults(own, asked.json)),
  ],
  tools: messagesTools,
  thinks: messagesThink,
  says: (asked, said, figures) => {
    if (isCount(asked)) return { body: { input_tokens: Math.ceil(asked.text.length / 4) } }
    return asked.json.stream === true
      ? { events: messageStream(said, figures) }
      : { body: messageAnswer(said, figures) }
  },
  refuses: (_, status, message) => ({
    status,
    body: messageError(status === 429 ? 'rate_limit_error' : 'invalid_request_error', message),
  }),
}

const isCount = ({ path }: Recorded): boolean => path.startsWith('/v1/messages/count_tokens')

/** Violations of the schema, the order of turns and the rules of thinking. */
export function messagesFaults(schema: z.ZodType, json: Recorded['json'], model = String(json.model)): string[] {
  const found = faultsIn(schema, json)
  return found.length > 0 ? found : [...turnFaults(json), ...thinkingFaults(json, model), ...markFaults(json)]
}

/** The names of the tools in a Messages request. */
export function messagesTools({ json }: Recorded): string[] {
  return (json.tools ?? []).map(({ name }: { name: string }) => name)
}

export function messagesThink({ json }: Recorded): boolean {
  return ['enabled', 'adaptive'].includes(json.thinking?.type)
}

type Block = Readonly<{ type: string; id?: string; tool_use_id?: string; cache_control?: unknown }>

const blocksOf = (content: unknown): readonly Block[] => (Array.isArray(content) ? content : [{ type: 'text' }])

/** The first turn is the user's; calls are followed by a user turn that starts with all their results and no others. */
function turnFaults({ messages }: Pick<Request, 'messages'>): string[] {
  const turns = messages.filter(({ role }) => role !== 'system')
  return turns.flatMap(({ role, content }, index) => {
    if (index === 0 && role !== 'user') return ['messages.0: the first turn must be the user’s']
    const before = turns[index - 1]
    const blocks = blocksOf(content)
    const calls = blocksOf(before?.content).flatMap((one) => (one.type === 'tool_use' ? [one.id] : []))
    const results = blocks.flatMap((one) => (one.type === 'tool_result' ? [one.tool_use_id] : []))
    const last = index === turns.length - 1 && blocks.some(({ type }) => type === 'tool_use')
    return [
      ...rule(
        String(calls.toSorted()) === String(results.toSorted()),
        `messages.${index}: calls ${calls}, results ${results}`,
      ),
      ...rule(
        blocks.slice(0, results.length).every(({ type }) => type === 'tool_result'),
        `messages.${index}: results come first`,
      ),
      ...rule(!last, `messages.${index}: calls without results`),
    ]
  })
}

/**
 * Newer models accept neither a budget nor sampling parameters; a budget must be below the limit, and thinking excludes
 * a forced tool.
 */
function thinkingFaults({ thinking, max_tokens, ...asked }: Request, model: string): string[] {
  const isAdaptive = /(opus-4-[78]|(opus|sonnet|haiku|fable|mythos)-5)/.test(model)
  const thinks = thinking?.type === 'enabled' || thinking?.type === 'adaptive'
  return [
    ...rule(!(isAdaptive && thinking?.type === 'enabled'), `thinking.type enabled is not supported for ${model}`),
    ...rule(
      !isAdaptive || (asked.temperature === undefined && asked.top_p === undefined && asked.top_k === undefined),
      `sampling is not supported for ${model}`,
    ),
    ...rule(thinking?.type !== 'enabled' || thinking.budget_tokens < max_tokens, 'max_tokens must exceed the budget'),
    ...rule(!thinks || (asked.temperature ?? 1) === 1, 'temperature may only be 1 when thinking'),
    ...rule(!thinks || !['any', 'tool'].includes(asked.tool_choice?.type ?? ''), 'no forced tool when thinking'),
    ...rule(max_tokens <= 128_000, `max_tokens: ${max_tokens} is more than ${model} has`),
  ]
}

/** At most four cache marks. */
function markFaults(json: unknown): string[] {
  const count = JSON.stringify(json).split('"cache_control":{').length - 1
  return rule(count <= 4, `a maximum of 4 blocks with cache_control may be provided, found ${count}`)
}
