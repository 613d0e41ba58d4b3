import type { ActiveChannel } from '../channels/active-channel.ts'
import { editObject } from './outline.ts'
import type { Call } from './understand.ts'

/** Fields an override may not touch: they decide how the answer is read and billed (reliability-security.md §4.4). */
const FIXED = new Set(['stream', 'model'])

/** The body for one channel, and whether the usage event was asked for on the gateway's own account. */
export type UpstreamBody = Readonly<{ bytes: Buffer; addedUsage: boolean }>

/**
 * The caller's own bytes wherever nothing must change; else the same bytes with single fields edited: the mapped
 * model, the channel's param_override, `stream_options.include_usage`, and without the playground's `group`.
 */
export function upstreamBody(
  call: Call,
  channel: ActiveChannel,
  model: string,
  takesStreamOptions: boolean,
  passThrough: boolean,
): UpstreamBody {
  const edits = new Map<string, unknown>()
  if (model !== call.json.model) edits.set('model', model)
  if (call.route.playground && 'group' in call.json) edits.set('group', undefined)
  const addedUsage = call.stream && takesStreamOptions && !call.wantsUsage
  if (addedUsage) edits.set('stream_options', { ...objectOf(call.json.stream_options), include_usage: true })
  if (call.stream && !takesStreamOptions && 'stream_options' in call.json) edits.set('stream_options', undefined)
  if (!passThrough)
    for (const [field, value] of Object.entries(channel.paramOverride ?? {}))
      if (!FIXED.has(field)) edits.set(field, value)
  return { bytes: edits.size > 0 ? editObject(call.bytes, call.outline, edits) : call.bytes, addedUsage }
}

const objectOf = (value: unknown): object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
