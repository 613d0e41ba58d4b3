import { writeForm } from '../../base/bytes/form.ts'
import { objectIn } from '../../base/json/json.ts'
import { editYielding } from '../../base/json/json-spans.ts'
import { type MaybePromise, whenKnown } from '../../base/maybe-promise.ts'
import type { ActiveChannel } from '../../channels/registry/active-channel.ts'
import { limitOutput } from '../admission/cap-output.ts'
import { countForBlank } from '../intake/image-options.ts'
import type { Call } from '../model/call.ts'
import { samplingMembers } from '../providers/claude-headers.ts'

/**
 * Fields an override may not change: they determine how the response is read and billed
 * (docs/reference/selection.md#parameter-overrides).
 */
export const FIXED = new Set(['stream', 'model'])

/**
 * The body for one channel, its type, whether the gateway itself requested the usage event, and the members that the
 * channel could not add.
 */
export type UpstreamBody = Readonly<{ bytes: Buffer; type: string; addedUsage: boolean; unsaid?: readonly string[] }>

export const JSON_TYPE = 'application/json'

/** Upstream-specific requirements for a body in the caller's own dialect. */
type BodyTraits = Readonly<{
  model: string
  requestsUsage: boolean
  passThrough: boolean
  /** Not even the model's name changes (docs/reference/selection.md#channel-settings). */
  isUntouched: boolean
  edits: ReadonlyMap<string, unknown>
  /** The caller's version of Anthropic's API refuses sampling members, which the channel would add. */
  isUnsampled?: boolean
}>

/**
 * Returns the caller's bytes unchanged if possible; else with single members edited, such as the mapped model, the
 * channel's param_override and `stream_options.include_usage`, or removed, such as the playground's `group`. A large
 * body is edited in steps, yielding to other requests.
 */
export function upstreamBody(call: Call, channel: ActiveChannel, traits: BodyTraits): MaybePromise<UpstreamBody> {
  if (traits.isUntouched && !call.form) return untouchedBody(call, traits)
  const edits = new Map<string, unknown>(traits.passThrough ? [] : traits.edits)
  if (call.format !== 'gemini' && traits.model !== call.json.model) edits.set('model', traits.model)
  if (call.route.playground && 'group' in call.json) edits.set('group', undefined)
  const addedUsage = addUsage(call, traits, edits)
  if (hasStreamOptions(call) && !traits.requestsUsage && 'stream_options' in call.json)
    edits.set('stream_options', undefined)
  const count = countForBlank(call)
  if (count !== undefined) edits.set('n', count)
  const unsaid: string[] = []
  const overrides = traits.passThrough ? NOTHING : (channel.paramOverride ?? NOTHING)
  for (const [field, value] of Object.entries(overrides))
    if (traits.isUnsampled && samplingMembers.has(field)) unsaid.push(field)
    else if (!FIXED.has(field)) edits.set(field, value)
  limitOutput(call, traits.model, edits)
  if (call.form) return { ...writeForm(call.form, edits), addedUsage }
  return sentBody(call, edits, { addedUsage, unsaid })
}

const hasStreamOptions = ({ stream, endpoint }: Call): boolean =>
  stream && (endpoint === 'chat' || endpoint === 'completions')

/**
 * Requests the usage event of a stream if the channel supports that and the caller has not requested it; returns
 * whether it did.
 */
function addUsage(call: Call, { requestsUsage }: BodyTraits, edits: Map<string, unknown>): boolean {
  if (!requestsUsage || call.wantsUsage || !hasStreamOptions(call)) return false
  edits.set('stream_options', { ...objectIn(call.json.stream_options), include_usage: true })
  return true
}

function sentBody(
  { bytes, spans }: Call,
  edits: ReadonlyMap<string, unknown>,
  extras: Pick<UpstreamBody, 'addedUsage' | 'unsaid'>,
) {
  const sent = edits.size > 0 ? editYielding(bytes, spans, edits) : bytes
  return whenKnown(sent, (edited): UpstreamBody => ({ bytes: edited, type: JSON_TYPE, ...extras }))
}

const NOTHING = {}

/**
 * Returns the caller's bytes, except for the playground's `group`, which is only for this gateway, and members that
 * the price needs: the usage of a stream, a number of images instead of a blank one, and a limit to the output that can
 * be paid for.
 */
function untouchedBody(call: Call, traits: BodyTraits): MaybePromise<UpstreamBody> {
  const { route, json } = call
  const edits = new Map<string, unknown>(route.playground && 'group' in json ? [['group', undefined]] : [])
  const count = countForBlank(call)
  if (count !== undefined) edits.set('n', count)
  limitOutput(call, traits.model, edits)
  return sentBody(call, edits, { addedUsage: addUsage(call, traits, edits) })
}
