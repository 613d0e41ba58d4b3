import type { RestPlace } from './rests.ts'

/** What is kept of a failure. */
export type Entry = {
  channelId: number
  keyId: string
  model: string
  kind: 'limited' | 'failing'
  status: number
  message: string
  strikes: number
  /** Monotonic milliseconds; 0 while it only counts strikes. */
  untilMs: number
  /** When it failed last, in monotonic milliseconds and in unix seconds. */
  failedMs: number
  failedAt: number
  isTried: boolean
}

/** Entries by channel, key (empty for all of them) and model (empty for all of them). */
export interface RestBook {
  readonly size: number
  /** Of the channel itself for all models, and for one. */
  ofChannel(channelId: number): Scope | undefined
  ofKey(channelId: number, keyId: string): Scope | undefined
  /** Every entry a request is concerned by. */
  concerning(place: RestPlace, model: string): readonly Entry[]
  put(entry: Entry): void
  remove(entry: Entry): void
  /** All of them, or those of one channel. */
  list(channelId?: number): readonly Entry[]
  clear(): void
}

/** The entries of one channel or key. */
export type Scope = { all: Entry | undefined; readonly models: Map<string, Entry> }
type Page = { own: Scope; readonly keys: Map<string, Scope> }

/** An empty book. */
export function createRestBook(): RestBook {
  const pages = new Map<number, Page>()
  let size = 0
  const scopeOf = (channelId: number, keyId: string): Scope | undefined =>
    keyId === '' ? pages.get(channelId)?.own : pages.get(channelId)?.keys.get(keyId)
  const found = ({ channelId, keyId, model }: Pick<Entry, 'channelId' | 'keyId' | 'model'>): Entry | undefined =>
    model === '' ? scopeOf(channelId, keyId)?.all : scopeOf(channelId, keyId)?.models.get(model)
  return {
    get size() {
      return size
    },
    ofChannel: (channelId) => pages.get(channelId)?.own,
    ofKey: scopeOf,
    concerning({ id, keyId }, model) {
      const own = scopeOf(id, '')
      const keys = keyId === '' ? undefined : scopeOf(id, keyId)
      return [own?.all, own?.models.get(model), keys?.all, keys?.models.get(model)].filter(
        (entry) => entry !== undefined,
      )
    },
    put(entry) {
      const { channelId, keyId, model } = entry
      if (!found(entry)) size += 1
      const page = pages.get(channelId) ?? { own: blank(), keys: new Map<string, Scope>() }
      pages.set(channelId, page)
      const scope = keyId === '' ? page.own : (page.keys.get(keyId) ?? blank())
      if (keyId !== '') page.keys.set(keyId, scope)
      if (model === '') scope.all = entry
      else scope.models.set(model, entry)
    },
    remove(entry) {
      const { channelId, keyId, model } = entry
      const page = pages.get(channelId)
      const scope = scopeOf(channelId, keyId)
      if (!page || !scope || !found(entry)) return
      size -= 1
      if (model === '') scope.all = undefined
      else scope.models.delete(model)
      if (isBlank(scope)) page.keys.delete(keyId)
      if (isBlank(page.own) && page.keys.size === 0) pages.delete(channelId)
    },
    list(channelId) {
      if (channelId === undefined) return [...pages.values()].flatMap(entriesIn)
      const page = pages.get(channelId)
      return page ? entriesIn(page) : []
    },
    clear() {
      pages.clear()
      size = 0
    },
  }
}

const blank = (): Scope => ({ all: undefined, models: new Map() })
const isBlank = ({ all, models }: Scope): boolean => all === undefined && models.size === 0

const entriesIn = ({ own, keys }: Page): readonly Entry[] =>
  [own, ...keys.values()].flatMap(({ all, models }) => (all ? [all, ...models.values()] : [...models.values()]))
