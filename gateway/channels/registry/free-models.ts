import { isHomeHost } from '../../base/home-address.ts'
import type { ActiveChannel } from './active-channel.ts'

/**
 * Whether what a channel answers costs nothing: it is said of it, and it is on this machine or in a private network
 * (docs/reference/local-models.md#price). Said of a channel on the internet it means nothing.
 */
export const isFreeChannel = ({ setting, baseUrl }: ActiveChannel): boolean =>
  setting.free_of_charge && isHomeHost(URL.parse(baseUrl)?.hostname ?? '')

/**
 * The models that free channels alone have, enabled or not: one that any other channel has as well costs its price, so that
 * nothing becomes free because of a name. The set is the same one as long as the channels are.
 */
export function freeModelsIn(channels: () => Iterable<ActiveChannel>) {
  let known: ReadonlySet<string> | undefined
  return {
    changed: () => {
      known = undefined
    },
    names: (): ReadonlySet<string> => {
      known ??= namesOf([...channels()])
      return known
    },
  }
}

function namesOf(channels: readonly ActiveChannel[]): ReadonlySet<string> {
  const free = channels.filter(isFreeChannel)
  if (free.length === 0) return none
  const names = new Set(free.flatMap(({ models }) => models))
  for (const channel of channels) {
    if (names.size === 0) return none
    if (!isFreeChannel(channel)) for (const model of channel.models) names.delete(model)
  }
  return names
}

const none: ReadonlySet<string> = new Set()
