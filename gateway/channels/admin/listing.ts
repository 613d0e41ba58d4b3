import type { ChannelSort, channelTroubles } from '../../../shared/api/channel.ts'
import { channelStatus } from '../../../shared/enums.ts'
import { refuse } from '../../base/errors.ts'
import { type ReadMemory, type RowSize, readInSteps } from '../../base/row-steps.ts'
import { type ChannelFilter, channelStore, type VisibleChannel } from '../../store/channels/channels.ts'
import type { Db } from '../../store/sqlite/database.ts'
import type { Cooldowns } from '../health/cooldowns.ts'
import type { ReadFailing } from '../health/failing.ts'
import type { ChannelRegistry } from '../registry/channel-registry.ts'

type Trouble = (typeof channelTroubles)[number]
/** `id_sort` sorts by descending id if there is no `sort`. */
type Order = Readonly<{ id_sort: boolean; sort?: ChannelSort }>
type ListRequest = Order &
  Readonly<{
    /** 0-based. */
    p: number
    page_size: number
    /** Paginates by tag instead of by channel. */
    tag_mode: boolean
    /** Negative for all types. */
    type: number
    /** 0 for all. */
    status: number
    trouble?: Trouble | '' | undefined
  }>
type SearchRequest = Order &
  Readonly<{
    keyword: string
    group: string
    model: string
    trouble?: Trouble | '' | undefined
    tag_mode: boolean
    limit?: number | undefined
  }>
/** A row with the number of its keys, which are sealed together in one column. */
type ListedChannel = VisibleChannel & Readonly<{ key_count: number }>
type Listed = Readonly<{ rows: ListedChannel[]; total: number; typeCounts: Record<string, number> }>

/** The console's channel lists (docs/reference/channels.md#lists); never includes a key or another secret. */
export interface ChannelListing {
  /** Returns one page; `total` counts channels, or tags in tag mode, where channels without a tag form the last one. */
  list(request: ListRequest, memory: ReadMemory): Promise<Listed>
  /** Throws `channel.not_found`. */
  one(id: number): Promise<ListedChannel>
  /**
   * Returns all matches, or only the first `limit` if that is above 0; in tag mode, all channels of each tag with a
   * match, then matches without a tag.
   */
  search(request: SearchRequest, memory: ReadMemory): Promise<ListedChannel[]>
}

const orderOf = ({ id_sort, sort }: Order): ChannelSort => sort || (id_sort ? '-id' : '')

/** Placeholder for a channel whose secrets cannot be decrypted. */
const unopened = { keyCount: 1, shown: { setting: '', param_override: '' } }

type ListingDeps = Readonly<{
  db: Db
  /** Searches by key, since keys are sealed in the table. */
  registry: ChannelRegistry
  cooldowns: Pick<Cooldowns, 'list'>
  failing: ReadFailing
}>

export function createListing({ db, registry, cooldowns, failing }: ListingDeps): ChannelListing {
  const store = channelStore(db)
  const counted = (row: VisibleChannel): ListedChannel => {
    const { keyCount: key_count, shown } = registry.channel(row.id) ?? unopened
    return { ...row, ...shown, key_count }
  }
  const rowsOf = async (sizes: readonly RowSize[], memory: ReadMemory): Promise<ListedChannel[]> =>
    (await readInSteps(sizes, store.visibleByIds, memory)).map(counted)
  const troubledIds = async (trouble: Trouble): Promise<number[]> => {
    if (trouble === 'failing') return [...(await failing()).keys()]
    const ids = new Set(cooldowns.list().map(({ channelId }) => channelId))
    return [...ids].filter((id) => registry.channel(id)?.status === channelStatus.enabled)
  }
  return {
    async list({ p, page_size, tag_mode, type, status, trouble, ...wanted }, memory) {
      const order = orderOf(wanted)
      const filter: ChannelFilter = {
        ...(type < 0 ? {} : { type }),
        ...(status === 0 ? {} : { status }),
        ...(trouble ? { ids: await troubledIds(trouble) } : {}),
      }
      const typeCounts = await store.typeCounts(status === 0 ? {} : { status })
      const offset = p * page_size
      if (!tag_mode) {
        const rows = await store.page({ ...filter, offset, limit: page_size, order })
        return { rows: await rowsOf(rows, memory), total: await store.count(filter), typeCounts }
      }
      const tags = await store.tags(filter)
      const shown = tags.slice(offset, offset + page_size)
      const rows = shown.length === 0 ? [] : await store.ofTags(shown, filter, order)
      return { rows: await rowsOf(rows, memory), total: tags.length, typeCounts }
    },
    async one(id) {
      const row = await store.visibleById(id)
      if (!row) throw refuse('missing', 'channel.not_found')
      return counted(row)
    },
    async search({ keyword, group, model, trouble, tag_mode, limit = 0, ...wanted }, memory) {
      const order = orderOf(wanted)
      const query = { keyword, group: group === 'null' ? '' : group, model, order }
      const found = await store.search({ ...query, withKey: registry.withKey(keyword) })
      const troubled = trouble ? new Set(await troubledIds(trouble)) : undefined
      const fitting = troubled ? found.filter(({ id }) => troubled.has(id)) : found
      const matches = limit > 0 ? fitting.slice(0, limit) : fitting
      if (!tag_mode) return rowsOf(matches, memory)
      const tags = [...new Set(matches.flatMap(({ tag }) => (tag ? [tag] : [])))]
      const tagged = tags.length === 0 ? [] : await store.ofTags(tags, {}, order)
      return rowsOf([...tagged, ...matches.filter(({ tag }) => !tag)], memory)
    },
  }
}
