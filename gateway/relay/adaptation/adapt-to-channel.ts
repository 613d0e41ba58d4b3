import { type MaybePromise, whenKnown } from '../../base/maybe-promise.ts'
import type { ActiveChannel } from '../../channels/registry/active-channel.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Call } from '../model/call.ts'
import type { Endpoint } from '../model/endpoint.ts'
import type { NamedModel, Provider } from '../providers/provider.ts'
import { type ModelSuffix, modelSuffixOf, noSuffix } from './model-suffix.ts'
import { prompted } from './system-prompt.ts'

/** What becomes of a call for one channel before its vendor's dialect matters. */
export type AdaptedCall = Readonly<{
  /** With the channel's own instructions. */
  call: Call
  /** What the model's name asks for in the vendor's way of naming, and in its dialect's. */
  named: NamedModel | undefined
  suffix: ModelSuffix
  /** The body stays as it is but for the model's name (`global.pass_through_request_enabled`). */
  passThrough: boolean
  /** The body stays as it is, the model's name included (the channel's `pass_through_body_enabled`). */
  isUntouched: boolean
}>

type AdaptDeps = Readonly<{ settings: Pick<Settings, 'get'>; passThrough: () => boolean }>

/**
 * Applies a channel's settings about the body (docs/reference/selection.md#channel-settings). A body that has to be
 * converted, or that the vendor has in a shape of its own, cannot stay as it is. `mapped` is the channel's name of the
 * model.
 */
export function adaptToChannel(
  deps: AdaptDeps,
  provider: Provider,
  { setting }: ActiveChannel,
  asked: Call,
  upstreamEndpoint: Endpoint,
  mapped: string,
): MaybePromise<AdaptedCall> {
  const isOwn = upstreamEndpoint === asked.endpoint && !provider.bridges?.[upstreamEndpoint]
  const isUntouched = isOwn && setting.pass_through_body_enabled
  const passThrough = isUntouched || (isOwn && deps.passThrough())
  return whenKnown(passThrough ? asked : prompted(asked, setting), (call): AdaptedCall => {
    if (isUntouched) return { call, named: undefined, suffix: noSuffix(call.model), passThrough, isUntouched }
    const named = provider.parseModelName?.(mapped)
    const suffix = modelSuffixOf(deps.settings, call, upstreamEndpoint, named?.model ?? mapped)
    return { call, named, suffix, passThrough, isUntouched }
  })
}
