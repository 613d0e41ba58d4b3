import { isHomeHost } from '../../base/home-address.ts'
import type { ActiveChannel } from './active-channel.ts'
import { wildcardOf } from './model-name.ts'

/**
 * Whether what a channel answers costs nothing: it is said of it, and it is on this machine or in a private network
 * (docs/reference/local-models.md#price). Said of a channel on the internet it means nothing.
 */
export const isFreeChannel = ({ setting, baseUrl }: ActiveChannel): boolean =>
  setting.free_of_charge && isHomeHost(URL.parse(baseUrl)?.hostname ?? '')

const none: ReadonlySet<string> = new Set()

/**
 * The models that free channels alone have, enabled or not: one that any other channel has as well costs its price, so that
 * nothing becomes free because of a name. The set stays the same one as long as the names do.
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
  // A name that a wildcard of another channel holds is that channel's as well.
  for (const name of names) if (paid.has(name) || paid.has(wildcardOf(name) ?? name)) names.delete(name)
  return names.size === 0 ? none : names
}

const isSame = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((name) => other.has(name))
