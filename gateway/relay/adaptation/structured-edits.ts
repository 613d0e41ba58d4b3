import { isObject, objectIn } from '../../base/json/json.ts'
import type { Json } from '../formats/codec.ts'
import type { Codecs } from '../formats/codecs.ts'
import { fieldName } from '../formats/field-names.ts'
import type { Call } from '../model/call.ts'
import { decodedRequest } from '../model/decoded-request.ts'
import type { Members, Target } from '../providers/provider.ts'
import type { StructuredAnswer } from '../transforms/structured-output.ts'
import { type StructuredPlan, structuredPlan } from './structured-output.ts'
import { edited, type VendorTarget, vendorEdits, type Wanted } from './vendor-edits.ts'

/** The edits of a body in the caller's own dialect, and how its response is read if it must be converted. */
export type OwnEdits = Wanted & Readonly<{ structured?: StructuredAnswer | undefined }>

/** Combines the edits for the model's name, for requesting JSON, and those that the vendor requires as a result. */
export function ownEdits(codecs: Codecs, call: Call, vendor: VendorTarget, suffixed: Members): OwnEdits {
  const own = structuredEdits(codecs, call, vendor.target, suffixed)
  const { edits, dropped } = vendorEdits(vendor, call.json, own.edits)
  return own.structured || own.dropped.length > 0
    ? { edits, dropped: [...own.dropped, ...dropped], structured: own.structured }
    : { edits, dropped }
}

/**
 * Adds the edits that request JSON from a model that does not return it natively
 * (docs/reference/conversion.md#structured-output). For Responses and Gemini, the caller's settings are unchanged.
 */
function structuredEdits(codecs: Codecs, call: Call, target: Target, edits: Members): OwnEdits {
  const unchanged = { edits, dropped: NOTHING }
  if (!hasFormat(call)) return unchanged
  const { channel, endpoint, model } = target
  if (endpoint !== 'chat' && endpoint !== 'messages') return unchanged
  const mode = channel.setting.structured_output
  if (mode === 'native') return unchanged
  const json = edited(call.json, edits)
  const conversation = decodedRequest(codecs, call, json)
  const plan = structuredPlan(conversation, { typeName: channel.typeName, endpoint, model, mode, isNative: true })
  if (!plan) return unchanged
  const added = endpoint === 'chat' ? chatEdits(json, plan) : messagesEdits(json, plan)
  const dropped = plan.isDropped ? [fieldName('output', call.format)] : NOTHING
  return { edits: new Map([...edits, ...added]), dropped, structured: plan.answer }
}

const NOTHING: readonly string[] = []

function hasFormat({ endpoint, json }: Call): boolean {
  // The deprecated `functions` cannot be combined with `tools`.
  if (endpoint === 'chat')
    return isObject(json.response_format) && json.response_format.type !== 'text' && !Array.isArray(json.functions)
  return endpoint === 'messages' && (isObject(json.output_format) || isObject(objectIn(json.output_config).format))
}

type Edit = readonly [string, unknown]

function chatEdits(json: Json, { tool, choice, output, instruction }: StructuredPlan): readonly Edit[] {
  const edits: Edit[] = [['response_format', output && { type: 'json_object' }]]
  if (tool) {
    const { name, description, parameters } = tool
    const added = { type: 'function', function: { name, description, parameters } }
    edits.push(['tools', [...listIn(json.tools), added]])
  }
  if (choice?.mode === 'required') {
    const [name, ...more] = choice.names ?? []
    const isOne = name !== undefined && more.length === 0
    edits.push(['tool_choice', isOne ? { type: 'function', function: { name } } : 'required'])
  }
  if (instruction !== undefined) edits.push(['messages', instructed(listIn(json.messages), instruction)])
  return edits
}

function instructed(messages: readonly unknown[], text: string): readonly unknown[] {
  const first = objectIn(messages[0])
  if (!INSTRUCTING.has(first.role)) return [{ role: 'system', content: text }, ...messages]
  return messages.with(0, { ...first, content: after(first.content, text) })
}

const INSTRUCTING = new Set<unknown>(['system', 'developer'])

function messagesEdits(json: Json, { tool, choice, parallel, instruction }: StructuredPlan): readonly Edit[] {
  const { format: _, ...config } = objectIn(json.output_config)
  const edits: Edit[] = [
    ['output_format', undefined],
    ['output_config', Object.keys(config).length > 0 ? config : undefined],
  ]
  if (tool) {
    const { name, description, parameters } = tool
    edits.push(['tools', [...listIn(json.tools), { name, description, input_schema: parameters }]])
  }
  if (choice?.mode === 'required') {
    const name = choice.names?.at(0)
    const disableParallel = objectIn(json.tool_choice).disable_parallel_tool_use
    const single = parallel === false ? true : disableParallel
    const once = single === undefined ? {} : { disable_parallel_tool_use: single }
    edits.push(['tool_choice', { ...(name === undefined ? { type: 'any' } : { type: 'tool', name }), ...once }])
  }
  if (instruction !== undefined) edits.push(['system', after(json.system, instruction)])
  return edits
}

function after(content: unknown, text: string): unknown {
  if (Array.isArray(content)) return [...content, { type: 'text', text }]
  return typeof content === 'string' && content !== '' ? `${content}\n\n${text}` : text
}

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
