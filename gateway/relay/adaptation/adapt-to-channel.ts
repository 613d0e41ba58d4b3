import { type MaybePromise, whenKnown } from '../../base/maybe-promise.ts'
import type { ActiveChannel } from '../../channels/registry/active-channel.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Call } from '../model/call.ts'
import type { Endpoint } from '../model/endpoint.ts'
import type { NamedModel, Provider } from '../providers/provider.ts'
import { type ModelSuffix, modelSuffixOf, noSuffix } from './model-suffix.ts'
import { prompted } from './system-prompt.ts'

export type AdaptedCall = Readonly<{
  call: Call
  /** Settings read from the model's name: by the vendor's naming scheme (`named`) and the dialect's (`suffix`). */
  named: NamedModel | undefined
  suffix: ModelSuffix
  /** Only the model's name and what the price needs change (`global.pass_through_request_enabled`; `isUntouched`). */
  passThrough: boolean
  /** Not even the model's name changes (the channel's `pass_through_body_enabled`). */
  isUntouched: boolean
}>

type AdaptDeps = Readonly<{ settings: Pick<Settings, 'get'>; passThrough: () => boolean }>

type ChannelCall = Readonly<{
  provider: Provider
  channel: Pick<ActiveChannel, 'setting'>
  call: Call
  upstreamEndpoint: Endpoint
  /** The channel's name of the model. */
  name: string
  /** The upstream gets the caller's own request, in the same dialect. */
  isUnconverted: boolean
}>

/**
 * Applies a channel's settings about the body (docs/reference/selection.md#channel-settings). A body that must be
 * converted, to another dialect or to the vendor's own form, cannot stay unchanged.
 */
export function adaptToChannel(deps: AdaptDeps, channelCall: ChannelCall): MaybePromise<AdaptedCall> {
  const { provider, channel, call: original, upstreamEndpoint, name: mapped, isUnconverted } = channelCall
  const { setting } = channel
  const mayPass = isUnconverted && !provider.bridges?.[upstreamEndpoint]
  const isUntouched = mayPass && setting.pass_through_body_enabled
  const passThrough = isUntouched || (mayPass && deps.passThrough())
  return whenKnown(passThrough ? original : prompted(original, setting), (call): AdaptedCall => {
    if (isUntouched) return { call, named: undefined, suffix: noSuffix(call.model), passThrough, isUntouched }
    const named = provider.parseModelName?.(mapped)
    const suffix = modelSuffixOf(deps.settings, call, upstreamEndpoint, named?.model ?? mapped)
    return { call, named, suffix, passThrough, isUntouched }
  })
}
