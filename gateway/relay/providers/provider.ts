import type { ActiveChannel } from '../../channels/active-channel.ts'
import type { Endpoint } from '../surface.ts'

/** Where one call goes: a channel, the upstream's name of the model, and the endpoint. */
export type Target = Readonly<{ channel: ActiveChannel; model: string; endpoint: Endpoint }>

/**
 * How a vendor differs from the plain OpenAI wire. Everything is optional; a path that is absent means the vendor does
 * not offer the endpoint, so there is nothing to stub (design/house.md §4.4).
 */
export type Provider = Readonly<{
  /** The path below the channel's address, or the whole URL where the channel's address is one. */
  paths: Readonly<Partial<Record<Endpoint, (target: Target) => string>>>
  headers: (target: Target) => Readonly<Record<string, string>>
}>
