/** What is kept of a failure. */
export type CooldownEntry = {
  channelId: number
  /** Empty for all keys. */
  keyId: string
  /** Empty for all models. */
  model: string
  kind: 'limited' | 'failing'
  status: number
  message: string
  failures: number
  /** Monotonic milliseconds; 0 while it only counts failures. */
  untilMs: number
  /** When it failed last, in monotonic milliseconds and in unix seconds. */
  failedMs: number
  failedAt: number
  isHalfOpen: boolean
}

/** A channel, with one of its keys (empty where it has one). */
type Place = Readonly<{ id: number; keyId: string }>

/**
 * The entries of failures, so kept that all channels of one model can be looked up quickly: reading is always at once. A
 * form of several nodes tells the others what is put, removed and cleared, as seconds that are left, and puts what it
 * hears by its own clock; what is changed within an entry (the one trial of a cooldown that has ended) is this node's.
 */
export interface CooldownEntries {
  readonly size: number
  /** Of channels as such for all models, by channel. */
  readonly allModels: ReadonlyMap<number, CooldownEntry>
  /** Of channels as such for one model, by channel. */
  ofModel(model: string): ReadonlyMap<number, CooldownEntry>
  /** The one of exactly this channel, key and model. */
  exactly(channelId: number, keyId: string, model: string): CooldownEntry | undefined
  /** Every entry a request is concerned by. */
  concerning(target: Place, model: string): readonly CooldownEntry[]
  put(entry: CooldownEntry): void
  remove(entry: CooldownEntry): void
  /** All of them, or those of one channel and its keys. */
  list(channelId?: number): readonly CooldownEntry[]
  clear(): void
}

const none: ReadonlyMap<number, CooldownEntry> = new Map()

/** Of this process; no entry at first. */
export function createCooldownEntries(): CooldownEntries {
  const allModels = new Map<number, CooldownEntry>()
  const models = new Map<string, Map<number, CooldownEntry>>()
  const keys = new Map<number, Map<string, CooldownEntry>>()
  let size = 0
  const exactly = (channelId: number, keyId: string, model: string): CooldownEntry | undefined => {
    if (keyId !== '') return keys.get(channelId)?.get(placeOf(keyId, model))
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
      if (keyId !== '') put(keys, channelId, placeOf(keyId, model), entry)
      else if (model !== '') put(models, model, channelId, entry)
      else allModels.set(channelId, entry)
    },
    remove({ channelId, keyId, model }) {
      if (!exactly(channelId, keyId, model)) return
      size -= 1
      if (keyId !== '') remove(keys, channelId, placeOf(keyId, model))
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

const placeOf = (keyId: string, model: string): string => `${keyId} ${model}`

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
