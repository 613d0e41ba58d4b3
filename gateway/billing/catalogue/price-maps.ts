import { nested } from '../../../shared/messages/format.ts'
import { encodeOption, labelOf } from '../../../shared/options/index.ts'
import { refuse } from '../../base/errors.ts'
import type { Settings } from '../../settings/settings.ts'
import { mapOf, type PriceMap, type PriceMaps } from './rates.ts'

/** The user who changes prices; id 0 is the gateway itself. */
export type PriceAuthor = Readonly<{ id: number; username: string }>

type PriceWrite = Readonly<{
  before: PriceMaps
  after: PriceMaps
  author: PriceAuthor
  origin: 'sync' | 'schedule' | 'undo'
}>

export interface PriceMapsInForce {
  read(): PriceMaps
  /** Stores all maps that differ. Returns false, storing none, if one of them changed since `before` was read. */
  write(write: PriceWrite): Promise<boolean>
}

/** Max characters of a map, as of a value that users edit by hand. */
const MAX_LENGTH = 1_000_000
const names = Object.values(mapOf)

/** The price maps of the settings; throws if a map would be too long. */
export const priceMapsOf = (settings: Pick<Settings, 'get' | 'change'>): PriceMapsInForce => ({
  read: () => Object.fromEntries(names.map((name) => [name, settings.get(name)])) as PriceMaps, // all names of the type
  async write({ before, after, author, origin }) {
    const changes = names
      .map((key) => ({ key, value: textOf(key, after), base: textOf(key, before) }))
      .filter(({ value, base }) => value !== base)
    const long = changes.find(({ value }) => value.length > MAX_LENGTH)
    if (long) throw refuse('invalid', 'catalogue.too_large', { name: nested(labelOf(long.key)) })
    if (changes.length === 0) return true
    const outdated = await settings.change(changes, { ...author, origin })
    return outdated.length === 0
  },
})

const textOf = (key: PriceMap, maps: PriceMaps): string => encodeOption(key, { ...maps[key] })
