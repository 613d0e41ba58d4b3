import { isHomeHost } from '../../base/network/home-address.ts'
import type { ActiveChannel } from './active-channel.ts'
import { wildcardOf } from './model-name.ts'

/**
 * Whether a channel's calls are free: it is marked as free, and its address is on this machine or a private network
 * (docs/reference/local-models.md#price). The mark has no effect on an internet host.
 */
export const isFreeChannel = ({ setting, baseUrl }: ActiveChannel): boolean =>
  setting.free_of_charge && isHomeHost(URL.parse(baseUrl)?.hostname ?? '')

const none: ReadonlySet<string> = new Set()

/**
 * The models only free channels have, enabled or not: a model that any other channel also has costs its price, so that
 * nothing becomes free because of a name. Returns the same set as long as the names do not change.
 */
export function freeModelsIn(channels: () => Iterable<ActiveChannel>) {
  let known: ReadonlySet<string> = none
  let isStale = true
  return {
    changed: () => {
      isStale = true
    },
    names: (): ReadonlySet<string> => {
      if (!isStale) return known
      isStale = false
      const now = namesOf([...channels()])
      if (!isSame(now, known)) known = now
      return known
    },
  }
}

function namesOf(channels: readonly ActiveChannel[]): ReadonlySet<string> {
  const free = channels.filter(isFreeChannel)
  if (free.length === 0) return none
  const names = new Set(free.flatMap(({ models }) => models))
  const paid = new Set(channels.filter((channel) => !isFreeChannel(channel)).flatMap(({ models }) => models))
  // Names covered by a wildcard of a paid channel are paid too.
  for (const name of names) if (paid.has(name) || paid.has(wildcardOf(name) ?? name)) names.delete(name)
  return names.size === 0 ? none : names
}

const isSame = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((name) => other.has(name))
