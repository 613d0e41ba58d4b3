import { refuse } from '../../base/errors.ts'
import { type ReadMemory, type RowSize, readInSteps } from '../../base/row-steps.ts'
import { type ChannelFilter, channelStore, type VisibleChannel } from '../../store/channels/channels.ts'
import type { Db } from '../../store/sqlite/database.ts'
import type { ChannelRegistry } from '../registry/channel-registry.ts'

type ListRequest = Readonly<{
  /** 0-based. */
  p: number
  page_size: number
  id_sort: boolean
  /** Paginates by tag instead of by channel. */
  tag_mode: boolean
  /** Negative for all types. */
  type: number
  /** 0 for all. */
  status: number
}>
type SearchRequest = Readonly<{ keyword: string; group: string; model: string; id_sort: boolean; tag_mode: boolean }>
/** A row with the number of its keys, which are sealed together in one column. */
type ListedChannel = VisibleChannel & Readonly<{ key_count: number }>
export type Listed = Readonly<{ rows: ListedChannel[]; total: number; typeCounts: Record<string, number> }>

/** The console's channel lists (docs/reference/channels.md#lists); never includes a key or another secret. */
export interface ChannelListing {
  /** Returns one page; `total` counts channels, or tags in tag mode, where channels without a tag form the last one. */
  list(request: ListRequest, memory: ReadMemory): Promise<Listed>
  /** Throws `channel.not_found`. */
  one(id: number): Promise<ListedChannel>
  /** Returns all matches; in tag mode, all channels of each tag with a match, then matches without a tag. */
  search(request: SearchRequest, memory: ReadMemory): Promise<ListedChannel[]>
}

/** Placeholder for a channel whose secrets cannot be decrypted. */
const unopened = { keyCount: 1, shown: { setting: '', param_override: '' } }

/** Uses the registry to search by key, since keys are sealed in the table. */
export function createListing({ db, registry }: Readonly<{ db: Db; registry: ChannelRegistry }>): ChannelListing {
  const store = channelStore(db)
  const counted = (row: VisibleChannel): ListedChannel => {
    const { keyCount: key_count, shown } = registry.channel(row.id) ?? unopened
    return { ...row, ...shown, key_count }
  }
  const rowsOf = async (sizes: readonly RowSize[], memory: ReadMemory): Promise<ListedChannel[]> =>
    (await readInSteps(sizes, store.visibleByIds, memory)).map(counted)
  return {
    async list({ p, page_size, id_sort, tag_mode, type, status }, memory) {
      const filter: ChannelFilter = { ...(type < 0 ? {} : { type }), ...(status === 0 ? {} : { status }) }
      const typeCounts = await store.typeCounts(status === 0 ? {} : { status })
      const offset = p * page_size
      if (!tag_mode) {
        const rows = await store.page({ ...filter, offset, limit: page_size, idSort: id_sort })
        return { rows: await rowsOf(rows, memory), total: await store.count(filter), typeCounts }
      }
      const tags = await store.tags(filter)
      const shown = tags.slice(offset, offset + page_size)
      const rows = shown.length === 0 ? [] : await store.ofTags(shown, filter, id_sort)
      return { rows: await rowsOf(rows, memory), total: tags.length, typeCounts }
    },
    async one(id) {
      const row = await store.visibleById(id)
      if (!row) throw refuse('missing', 'channel.not_found')
      return counted(row)
    },
    async search({ keyword, group, model, id_sort, tag_mode }, memory) {
      const query = { keyword, group: group === 'null' ? '' : group, model, idSort: id_sort }
      const matches = await store.search({ ...query, withKey: registry.withKey(keyword) })
      if (!tag_mode) return rowsOf(matches, memory)
      const tags = [...new Set(matches.flatMap(({ tag }) => (tag ? [tag] : [])))]
      const tagged = tags.length === 0 ? [] : await store.ofTags(tags, {}, id_sort)
      return rowsOf([...tagged, ...matches.filter(({ tag }) => !tag)], memory)
    },
  }
}
