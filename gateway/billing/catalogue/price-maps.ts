import { nested } from '../../../shared/messages/format.ts'
import { encodeOption, labelOf } from '../../../shared/options/index.ts'
import { refuse } from '../../base/errors.ts'
import type { Settings } from '../../settings/settings.ts'
import { mapOf, type PriceMap, type PriceMaps } from './rates.ts'

/** Who changes prices; id 0 is the gateway itself. */
export type PriceAuthor = Readonly<{ id: number; username: string }>

type PriceWrite = Readonly<{
  before: PriceMaps
  after: PriceMaps
  author: PriceAuthor
  /** What the history of the options says of it. */
  origin: 'sync' | 'schedule' | 'undo'
}>

/** The price maps that are in force, and the one way in which they are changed together. */
export interface PriceMapsInForce {
  read(): PriceMaps
  /** Stores all maps that differ, or none where anybody has changed one of them since `before` was read: false then. */
  write(write: PriceWrite): Promise<boolean>
}

/** As long as an option may be that people still change by hand. */
const MAX_LENGTH = 1_000_000
const names = Object.values(mapOf)

/** The price maps of the settings; refuses a map that would be too long. */
export const priceMapsOf = (settings: Pick<Settings, 'get' | 'change'>): PriceMapsInForce => ({
  read: () => Object.fromEntries(names.map((name) => [name, settings.get(name)])) as PriceMaps, // all names of the type
  async write({ before, after, author, origin }) {
    const wanted = names
      .map((key) => ({ key, value: textOf(key, after), base: textOf(key, before) }))
      .filter(({ value, base }) => value !== base)
    const long = wanted.find(({ value }) => value.length > MAX_LENGTH)
    if (long) throw refuse('invalid', 'catalogue.too_large', { name: nested(labelOf(long.key)) })
    if (wanted.length === 0) return true
    const outdated = await settings.change(wanted, { ...author, origin })
    return outdated.length === 0
  },
})

const textOf = (key: PriceMap, maps: PriceMaps): string => encodeOption(key, { ...maps[key] })
