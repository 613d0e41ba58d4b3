export type CooldownEntry = {
  channelId: number
  /** Empty means all keys. */
  keyId: string
  /** Empty means all models. */
  model: string
  kind: 'limited' | 'failing'
  status: number
  message: string
  failures: number
  /** Monotonic milliseconds; 0 while failures are only counted. */
  untilMs: number
  /** Time of the last failure, in monotonic milliseconds and in unix seconds. */
  failedMs: number
  failedAt: number
  /** Until when (monotonic milliseconds) a trial request after the cooldown keeps others waiting; 0 without a trial. */
  trialUntilMs: number
  /** The account whose requests failed; 0 if requests of several accounts failed. */
  accountId: number
  /** The size of the smallest failed request, in tokens. */
  tokens: number
}

/** A channel, and one of its keys (empty if it has only one). */
type ChannelTarget = Readonly<{ id: number; keyId: string }>

/**
 * Failure entries, indexed so that all channels of one model can be looked up quickly; reads are always synchronous. An
 * implementation for several nodes shares the entries of kind `limited`, with their remaining time, and each node
 * stores those of others by its own clock. Entries of kind `failing`, and changes within an entry (the single trial
 * after a cooldown), stay local to the node.
 */
export interface CooldownEntries {
  readonly size: number
  /** Entries of whole channels for all models, by channel id. */
  readonly allModels: ReadonlyMap<number, CooldownEntry>
  /** Entries of whole channels for one model, by channel id. */
  ofModel(model: string): ReadonlyMap<number, CooldownEntry>
  exactly(channelId: number, keyId: string, model: string): CooldownEntry | undefined
  concerning(target: ChannelTarget, model: string): readonly CooldownEntry[]
  put(entry: CooldownEntry): void
  remove(entry: CooldownEntry): void
  list(channelId?: number): readonly CooldownEntry[]
  clear(): void
}

const none: ReadonlyMap<number, CooldownEntry> = new Map()

export function createCooldownEntries(): CooldownEntries {
  const allModels = new Map<number, CooldownEntry>()
  const models = new Map<string, Map<number, CooldownEntry>>()
  const keys = new Map<number, Map<string, CooldownEntry>>()
  let size = 0
  const exactly = (channelId: number, keyId: string, model: string): CooldownEntry | undefined => {
    if (keyId !== '') return keys.get(channelId)?.get(keyFor(keyId, model))
    return model === '' ? allModels.get(channelId) : models.get(model)?.get(channelId)
  }
  return {
    get size() {
      return size
    },
    allModels,
    ofModel: (model) => models.get(model) ?? none,
    exactly,
    concerning({ id, keyId }, model) {
      const own = [exactly(id, '', ''), exactly(id, '', model)]
      const all = keyId === '' ? own : [...own, exactly(id, keyId, ''), exactly(id, keyId, model)]
      return all.filter((entry) => entry !== undefined)
    },
    put(entry) {
      const { channelId, keyId, model } = entry
      if (!exactly(channelId, keyId, model)) size += 1
      if (keyId !== '') put(keys, channelId, keyFor(keyId, model), entry)
      else if (model !== '') put(models, model, channelId, entry)
      else allModels.set(channelId, entry)
    },
    remove({ channelId, keyId, model }) {
      if (!exactly(channelId, keyId, model)) return
      size -= 1
      if (keyId !== '') remove(keys, channelId, keyFor(keyId, model))
      else if (model !== '') remove(models, model, channelId)
      else allModels.delete(channelId)
    },
    list(channelId) {
      if (channelId === undefined)
        return [
          ...allModels.values(),
          ...[...models.values(), ...keys.values()].flatMap((inner) => [...inner.values()]),
        ]
      const own = [allModels.get(channelId), ...[...models.values()].map((ofModel) => ofModel.get(channelId))]
      return [...own.filter((entry) => entry !== undefined), ...(keys.get(channelId)?.values() ?? [])]
    },
    clear() {
      allModels.clear()
      models.clear()
      keys.clear()
      size = 0
    },
  }
}

const keyFor = (keyId: string, model: string): string => `${keyId} ${model}`

function put<A, B>(outer: Map<A, Map<B, CooldownEntry>>, first: A, second: B, entry: CooldownEntry): void {
  const inner = outer.get(first) ?? new Map<B, CooldownEntry>()
  outer.set(first, inner)
  inner.set(second, entry)
}

function remove<A, B>(outer: Map<A, Map<B, CooldownEntry>>, first: A, second: B): void {
  const inner = outer.get(first)
  inner?.delete(second)
  if (inner?.size === 0) outer.delete(first)
}
