import type { ActiveChannel } from '../../channels/registry/active-channel.ts'
import type { Settings } from '../../settings/settings.ts'
import { wishOf } from './model-suffix.ts'
import { type ModelWish, plainWish } from './no-suffix.ts'
import type { NamedModel, Provider } from '../providers/provider.ts'
import type { Endpoint } from '../intake/surface.ts'
import { prompted } from './system-prompt.ts'
import type { Call } from '../intake/parse.ts'

/** What becomes of a call for one channel before its vendor's dialect matters. */
export type ChannelAsk = Readonly<{
  /** With the channel's own instructions. */
  call: Call
  /** What the model's name asks for in the vendor's way of naming, and in its dialect's. */
  named: NamedModel | undefined
  wish: ModelWish
  /** The body stays as it is but for the model's name (`global.pass_through_request_enabled`). */
  passThrough: boolean
  /** The body stays as it is, the model's name included (the channel's `pass_through_body_enabled`). */
  isUntouched: boolean
}>

export type ChannelAskDeps = Readonly<{ settings: Pick<Settings, 'get'>; passThrough: () => boolean }>

/**
 * Applies a channel's settings about the body (spec/relay.md §4.9). A body that has to be converted, or that the vendor
 * has in a shape of its own, cannot stay as it is. `mapped` is the channel's name of the model.
 */
export function channelAsk(
  deps: ChannelAskDeps,
  provider: Provider,
  { setting }: ActiveChannel,
  asked: Call,
  way: Endpoint,
  mapped: string,
): ChannelAsk {
  const isOwn = way === asked.endpoint && !provider.bridges?.[way]
  const isUntouched = isOwn && setting.pass_through_body_enabled
  const passThrough = isUntouched || (isOwn && deps.passThrough())
  const call = passThrough ? asked : prompted(asked, setting)
  if (isUntouched) return { call, named: undefined, wish: plainWish(call.model), passThrough, isUntouched }
  const named = provider.named?.(mapped)
  return { call, named, wish: wishOf(deps.settings, call, way, named?.model ?? mapped), passThrough, isUntouched }
}
