import type { Form, WrittenForm } from '../../base/bytes/form.ts'
import { isObject } from '../../base/json/json.ts'
import { LARGE } from '../../base/json/json-scan.ts'
import { writeJson } from '../../base/json/json-write.ts'
import { type MaybePromise, whenKnown } from '../../base/maybe-promise.ts'
import type { Json } from '../formats/codec.ts'
import { withCount } from '../intake/image-options.ts'
import type { Call } from '../model/call.ts'
import type { Bridge, Target } from '../providers/provider.ts'
import { asOpenAi } from './gemini-shapes.ts'
import { FIXED } from './upstream-body.ts'
import { paidMembers } from './vendor-edits.ts'

/** A request rewritten for one vendor: its bytes, its losses, and the request before the vendor's form. */
export type Bridged = Readonly<{ bytes: Buffer; dropped: readonly string[]; unconverted: Json }>

/**
 * Writes a call for another endpoint, or in the vendor's own form, or both. The channel's param_override is applied
 * last and cannot change what determines how the response is read and billed. A large body is written in steps,
 * yielding to other requests.
 */
export function bridgedRequest(call: Call, target: Target, bridge: Bridge | undefined): MaybePromise<Bridged> {
  const dropped = new Set<string>()
  const drop = (name: string) => void dropped.add(name)
  const { endpoint, json } = call
  const written = target.endpoint === endpoint ? paidMembers(json, endpoint, drop) : asOpenAi(call, drop)
  const unconverted = withCount(written, call, target.endpoint)
  const wire = {
    ...(bridge?.request ? bridge.request(unconverted, target, drop) : { ...unconverted, model: target.model }),
  }
  for (const [field, value] of Object.entries(target.channel.paramOverride ?? {}))
    if (!FIXED.has(field)) wire[field] = value
  const bytes = call.bytes.length > LARGE ? writeJson(wire, true) : Buffer.from(JSON.stringify(wire))
  return whenKnown(bytes, (sent): Bridged => ({ bytes: sent, dropped: [...dropped], unconverted }))
}

/** Converts a form by `Bridge.fromForm`, for a vendor that accepts no forms. */
export function bridgedForm(
  { json }: Call,
  form: Form,
  target: Target,
  fromForm: NonNullable<Bridge['fromForm']>,
): Bridged & WrittenForm {
  const dropped: string[] = []
  const written = fromForm(form, json, target, (name) => void dropped.push(name))
  return { ...written, dropped, unconverted: json }
}

/** Returns the response in the endpoint's own form; throws if it has no result to charge for. */
export const bridgedAnswer = (bridge: Bridge | undefined, json: unknown, unconverted: Json, model: string): unknown =>
  bridge?.answer && isObject(json) ? bridge.answer(json, { json: unconverted, model }) : json
