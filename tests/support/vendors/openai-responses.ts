import { z } from 'zod'
import { responseAnswer, responseStream } from '../responses.ts'
import type { SaidCall } from '../said.ts'
import type { Recorded } from '../upstream.ts'
import { faultsIn, rule, type Vendor } from './vendor.ts'

const breakpoint = z.strictObject({ mode: z.literal('explicit') }).optional()
const inputText = z.strictObject({
  type: z.literal('input_text'),
  text: z.string(),
  prompt_cache_breakpoint: breakpoint,
})
const inputImage = z.strictObject({
  type: z.literal('input_image'),
  image_url: z
    .string()
    .regex(/^(https?:|data:image\/(png|jpe?g|gif|webp);base64,)/)
    .nullish(),
  file_id: z.string().nullish(),
  detail: z.enum(['low', 'high', 'auto', 'original']).optional(),
  prompt_cache_breakpoint: breakpoint,
})
const inputFile = z.strictObject({
  type: z.literal('input_file'),
  file_data: z.string().optional(),
  file_id: z.string().nullish(),
  file_url: z.string().optional(),
  filename: z.string().optional(),
  detail: z.string().optional(),
  prompt_cache_breakpoint: breakpoint,
})
const outputText = z.strictObject({
  type: z.literal('output_text'),
  text: z.string(),
  annotations: z.array(z.unknown()).optional(),
  logprobs: z.array(z.unknown()).optional(),
})
const refusal = z.strictObject({ type: z.literal('refusal'), refusal: z.string() })
const parts = z.array(z.discriminatedUnion('type', [inputText, inputImage, inputFile]))
const status = z.enum(['completed', 'in_progress', 'incomplete']).nullish()
const id = (prefix: string) => z.string().startsWith(prefix).max(64).nullish()
const callId = z.string().min(1).max(64)
const toolName = z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/)
const output = z.union([z.string(), parts])

const said = z.strictObject({
  type: z.literal('message').optional(),
  role: z.literal('assistant'),
  content: z.union([z.string(), z.array(z.discriminatedUnion('type', [outputText, refusal])).min(1)]),
  phase: z.enum(['commentary', 'final_answer']).nullish(),
  status,
  id: id('msg_'),
})
const asked = z.strictObject({
  type: z.literal('message').optional(),
  role: z.enum(['user', 'system', 'developer']),
  content: z.union([z.string(), parts.min(1)]),
  status,
  id: z.string().nullish(),
})
const message = z.discriminatedUnion('role', [said, asked])
const tool = z.lazy(() =>
  z.discriminatedUnion('type', [
    functionTool,
    customTool,
    namespace,
    search,
    webSearch,
    localShell,
    shell,
    applyPatch,
    imageGeneration,
  ]),
)
const item = z.union([
  message,
  z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('function_call'),
      call_id: callId,
      name: toolName,
      arguments: z.string(),
      namespace: z.string().optional(),
      status,
      id: id('fc_'),
    }),
    z.strictObject({
      type: z.literal('function_call_output'),
      call_id: callId,
      output,
      status,
      id: z.string().nullish(),
    }),
    z.strictObject({
      type: z.literal('custom_tool_call'),
      call_id: callId,
      name: toolName,
      input: z.string(),
      namespace: z.string().optional(),
      status,
      id: id('ctc_'),
    }),
    z.strictObject({ type: z.literal('custom_tool_call_output'), call_id: callId, output, id: z.string().nullish() }),
    z.strictObject({
      type: z.literal('reasoning'),
      summary: z.array(z.strictObject({ type: z.literal('summary_text'), text: z.string() })),
      content: z.array(z.strictObject({ type: z.literal('reasoning_text'), text: z.string() })).nullish(),
      encrypted_content: z.string().nullish(),
      status,
      id: id('rs_'),
    }),
    z.strictObject({ type: z.literal('compaction'), encrypted_content: z.string(), id: z.string().nullish() }),
    z.strictObject({ type: z.literal('compaction_trigger'), id: z.string().nullish() }),
    z.strictObject({ type: z.literal('item_reference'), id: z.string() }),
    z.strictObject({
      type: z.literal('tool_search_call'),
      arguments: z.unknown(),
      call_id: z.string().nullish(),
      execution: z.enum(['server', 'client']).optional(),
      status,
      id: z.string().nullish(),
    }),
    z.looseObject({ type: z.literal('tool_search_output') }),
    z.strictObject({
      type: z.literal('additional_tools'),
      role: z.literal('developer'),
      tools: z.array(tool),
      id: z.string().nullish(),
    }),
    z.looseObject({
      type: z.enum([
        'web_search_call',
        'local_shell_call',
        'local_shell_call_output',
        'shell_call',
        'shell_call_output',
        'apply_patch_call',
        'apply_patch_call_output',
        'image_generation_call',
      ]),
    }),
  ]),
])
type Item = z.infer<typeof item>

const parameters = z
  .looseObject({ type: z.literal('object') })
  .refine((schema) => !['oneOf', 'anyOf', 'allOf', 'enum', 'not'].some((word) => word in schema), {
    message: 'a function’s schema has no oneOf, anyOf, allOf, enum or not at its root',
  })
const functionTool = z.strictObject({
  type: z.literal('function'),
  name: toolName,
  description: z.string().nullish(),
  parameters: parameters.nullable(),
  strict: z.boolean().nullish(),
  defer_loading: z.boolean().optional(),
  output_schema: z.looseObject({}).nullish(),
})
const customTool = z.strictObject({
  type: z.literal('custom'),
  name: toolName,
  description: z.string().optional(),
  defer_loading: z.boolean().optional(),
  format: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('text') }),
      z.strictObject({ type: z.literal('grammar'), syntax: z.enum(['lark', 'regex']), definition: z.string() }),
    ])
    .optional(),
})
const namespace = z.strictObject({
  type: z.literal('namespace'),
  name: toolName,
  description: z.string(),
  tools: z.array(z.discriminatedUnion('type', [functionTool.extend({ parameters: parameters.nullish() }), customTool])),
})
const search = z.strictObject({
  type: z.literal('tool_search'),
  description: z.string().nullish(),
  execution: z.enum(['server', 'client']).optional(),
  parameters: z.unknown().optional(),
})
const webSearch = z.strictObject({
  type: z.enum(['web_search', 'web_search_2025_08_26', 'web_search_preview']),
  external_web_access: z.boolean().optional(),
  filters: z.looseObject({}).nullish(),
  search_context_size: z.enum(['low', 'medium', 'high']).optional(),
  user_location: z.looseObject({}).nullish(),
  search_content_types: z.array(z.string()).optional(),
})
const localShell = z.strictObject({ type: z.literal('local_shell') })
const shell = z.looseObject({ type: z.literal('shell') })
const applyPatch = z.strictObject({ type: z.literal('apply_patch') })
const imageGeneration = z.looseObject({ type: z.literal('image_generation') })

const request = z.strictObject({
  model: z.string().min(1),
  input: z.union([z.string(), z.array(item).min(1)]).optional(),
  instructions: z.string().nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.strictObject({ include_obfuscation: z.boolean().optional() }).nullish(),
  tools: z.array(tool).max(128).optional(),
  tool_choice: z.union([z.enum(['auto', 'none', 'required']), z.looseObject({ type: z.string() })]).optional(),
  parallel_tool_calls: z.boolean().nullish(),
  max_output_tokens: z.number().int().min(16).nullish(),
  max_tool_calls: z.number().int().nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  top_logprobs: z.number().int().min(0).max(20).nullish(),
  reasoning: z
    .strictObject({
      effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']).nullish(),
      summary: z.enum(['auto', 'concise', 'detailed']).nullish(),
      generate_summary: z.enum(['auto', 'concise', 'detailed']).nullish(),
      context: z.enum(['auto', 'current_turn', 'all_turns']).nullish(),
      mode: z.string().optional(),
    })
    .nullish(),
  text: z
    .strictObject({
      verbosity: z.enum(['low', 'medium', 'high']).nullish(),
      format: z
        .discriminatedUnion('type', [
          z.strictObject({ type: z.literal('text') }),
          z.strictObject({ type: z.literal('json_object') }),
          z.strictObject({
            type: z.literal('json_schema'),
            name: z.string().regex(/^[\w-]{1,64}$/),
            description: z.string().optional(),
            strict: z.boolean().nullish(),
            schema: z.looseObject({ type: z.literal('object') }),
          }),
        ])
        .optional(),
    })
    .optional(),
  include: z
    .array(
      z.enum([
        'file_search_call.results',
        'web_search_call.results',
        'web_search_call.action.sources',
        'message.input_image.image_url',
        'computer_call_output.output.image_url',
        'code_interpreter_call.outputs',
        'reasoning.encrypted_content',
        'message.output_text.logprobs',
      ]),
    )
    .nullish(),
  store: z.boolean().nullish(),
  background: z.boolean().nullish(),
  metadata: z.record(z.string().max(64), z.string().max(512)).nullish(),
  previous_response_id: z.string().nullish(),
  conversation: z.unknown().optional(),
  context_management: z.array(z.looseObject({})).nullish(),
  prompt_cache_key: z.string().max(64).nullish(),
  prompt_cache_retention: z.enum(['in_memory', '24h']).nullish(),
  prompt_cache_options: z.looseObject({}).optional(),
  safety_identifier: z.string().max(64).nullish(),
  service_tier: z.enum(['auto', 'default', 'flex', 'scale', 'priority', 'fast']).nullish(),
  truncation: z.enum(['auto', 'disabled']).nullish(),
  user: z.string().max(64).optional(),
  /** OpenAI's own client sends it, though the reference does not list it. */
  client_metadata: z.record(z.string(), z.string()).optional(),
})
type Request = z.infer<typeof request>

/** OpenAI's Responses, as strict as its reference. */
export const openaiResponses: Vendor = {
  faults: (sent) => {
    const found = [
      ...rule(sent.headers.authorization?.startsWith('Bearer ') === true, 'the key must be a bearer token'),
      ...rule(/^\/v1\/responses(\/compact)?$/.test(sent.path), `no such path ${sent.path}`),
      ...faultsIn(request, sent.json),
    ]
    return found.length > 0 ? found : [...orderFaults(sent.json), ...modelFaults(sent.json)]
  },
  tools: ({ json }) => callable(json).map(({ name, namespace }) => (namespace ? `${namespace}/${name}` : name)),
  thinks: ({ json }) => isReasoning(json.model) && json.reasoning?.effort !== 'none',
  says: (sent, said, figures) => {
    const answer = { ...said, ...(said.calls ? { calls: said.calls.map(asCalled) } : {}) }
    return sent.json.stream === true
      ? { events: responseStream(answer, figures, idOf(sent)) }
      : { body: responseAnswer(answer, figures, idOf(sent)) }
  },
  refuses: (_, statusCode, text) => ({
    status: statusCode,
    body: { error: { message: text, type: 'invalid_request_error', code: null, param: null } },
  }),
}

type Callable = Readonly<{ name: string; namespace?: string }>
type Offered = Readonly<{ type: string; name?: string; tools?: readonly Offered[] }>

/** Callable tools: functions, those of namespaces, the tool search, and the tools it has found. */
function callable({ tools = [], input = [] }: Request): Callable[] {
  const found = typeof input === 'string' ? [] : input.filter((one) => one.type === 'tool_search_output')
  const offered = [...tools, ...found.flatMap((one) => ('tools' in one ? (one.tools as Offered[]) : []))]
  return offered.flatMap(({ type, name, tools: inner }: Offered): Callable[] => {
    if (type === 'tool_search') return [{ name: type }]
    if (type !== 'namespace') return name ? [{ name }] : []
    return (inner ?? []).flatMap((one) => (one.name ? [{ name: one.name, namespace: name }] : []))
  })
}

/** A call as the vendor makes it, with the name under which the tool was offered. */
function asCalled(call: SaidCall): SaidCall {
  if (call.name === 'tool_search') return { ...call, isSearch: true }
  const [namespace, name] = call.name.split('/')
  return name === undefined ? call : { ...call, name, namespace }
}

/** Ids of responses differ by the length of the request. */
const idOf = ({ text }: Recorded): string => `resp_${text.length}`

/** Every output has its call before it, and every call its output. */
function orderFaults({ input = [], previous_response_id: previous }: Request): string[] {
  const items: readonly Item[] = typeof input === 'string' ? [] : input
  const of = (type: string) => items.flatMap((one) => ('call_id' in one && one.type === type ? [one.call_id] : []))
  return ['function_call', 'custom_tool_call'].flatMap((type) => {
    const calls = of(type).map(String).toSorted()
    const outputs = of(`${type}_output`).map(String).toSorted()
    if (previous) return []
    return rule(String(calls) === String(outputs), `${type}: calls ${calls} have the outputs ${outputs}`)
  })
}

/** Reasoning models, which accept an effort and return encrypted reasoning. */
const isReasoning = (model: string): boolean => /^(gpt-5|gpt-6|o\d)/.test(model) && !/chat/.test(model)

function modelFaults({ model, reasoning, temperature, top_p, tools = [], store, include }: Request): string[] {
  const thinks = isReasoning(model) && reasoning?.effort !== 'none'
  const names = tools.flatMap((one) => ('name' in one && typeof one.name === 'string' ? [one.name] : []))
  return [
    ...rule(isReasoning(model) || !reasoning?.effort, `reasoning.effort is not supported with ${model}`),
    ...rule(
      isReasoning(model) || !include?.includes('reasoning.encrypted_content') || store !== false,
      `encrypted content is not supported with ${model}`,
    ),
    ...rule(!thinks || (temperature ?? 1) === 1, `temperature is not supported with ${model}`),
    ...rule(!thinks || (top_p ?? 1) === 1, `top_p is not supported with ${model}`),
    ...rule(new Set(names).size === names.length, 'tool names must be unique'),
  ]
}
