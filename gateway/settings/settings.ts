import pLimit from 'p-limit'
import { isNearAddress } from '../../shared/near-address.ts'
import {
  encodeOption,
  isOptionKey,
  type OptionKey,
  type OptionValue,
  optionKeys,
  options,
} from '../../shared/options/index.ts'
import type { GatewayError } from '../base/errors.ts'
import type { Author, OptionWrite } from '../store/options.ts'
import { type ChangeListener, openChanges } from './changes.ts'
import { checkAll, isInForce, sortOut, type WantedValue, withAll } from './checks.ts'
import { pricingDefaults } from './pricing-defaults/index.ts'
import {
  defaultValues,
  isFilled,
  type OptionRow,
  type OptionValues,
  readRows,
  rereadRows,
  type Warn,
} from './values.ts'

/** The table of settings. Implementations seal and open secret values. */
interface OptionStore {
  load(): Promise<readonly OptionRow[]>
  /** Stores all writes, or none: returns false if the rows differ from those `read`. */
  save(writes: readonly OptionWrite[], author: Author, read: readonly OptionRow[]): Promise<boolean>
}

/** The state of a setting; the only information disclosed about secret ones. */
type SettingState = Readonly<{ key: OptionKey; isDefault: boolean; isSet: boolean }>

interface SettingsDeps {
  store: OptionStore
  /** Where the gateway listens, without a trailing slash; read on each use, since the port may be known late. */
  listenAddress: () => string
  /** The address for other machines, used without `ServerAddress`; undefined if only this machine can reach the gateway. */
  othersAddress?: () => string | undefined
  warn: Warn
  /** Defaults too large for shared/options; the built-in price tables if absent. */
  defaults?: Partial<OptionValues>
}

export interface Settings {
  /** The value in force, from memory. Objects and lists are frozen. */
  get<K extends OptionKey>(key: K): OptionValue<K>
  /**
   * Checks and stores a value and only then puts it in force. On an invalid value or a failed save, nothing changes.
   */
  set(key: string, raw: string, author?: Author): Promise<void>
  /**
   * Checks all values, stores them in one transaction and puts them in force together; throws for the first invalid
   * one, and nothing changes. Returns the keys whose `base` is no longer in force; if it returns any, nothing changes
   * either.
   */
  change(wanted: readonly WantedValue[], author: Author): Promise<readonly OptionKey[]>
  /** Returns the error of each value that cannot be applied with the others, by key; changes nothing. */
  refusals(wanted: readonly WantedValue[]): Promise<ReadonlyMap<string, GatewayError>>
  reset(key: OptionKey, author?: Author): Promise<void>
  defaultOf(key: OptionKey): string
  /**
   * Whether a text represents the value in force, regardless of formatting. Must not be called for a secret on a user's
   * behalf.
   */
  isInForce(key: OptionKey, text: string): boolean
  states(): SettingState[]
  /** Calls the listener after any of `keys` changed, with the keys that did; returns a function that unsubscribes. */
  onChange(keys: readonly OptionKey[], listener: ChangeListener): () => void
  derive<T>(keys: readonly OptionKey[], build: () => T): () => T
  /** Every setting except secret ones, as strings (GET /api/option/). */
  all(): { key: OptionKey; value: string }[]
  /** The public settings, by their name in the public status (docs/reference/api.md#status). */
  published(): Record<string, unknown>
  /** The address of this gateway in links: the setting, or where it listens. No trailing slash. */
  serverAddress(): string
  /**
   * The address other machines can open (docs/reference/share.md#addresses-in-links); undefined while only this
   * machine can.
   */
  addressForOthers(): string | undefined
  /**
   * The address in mails, notices and image links, which may be opened anywhere. `cameBy` is the address at which the
   * triggering call arrived, if other machines can open it; it is used unless a server address that they can open is
   * set.
   */
  linkAddress(cameBy?: string): string
  /**
   * Has `save` store values in a larger transaction, serialized with all other writes, and puts in force what the table
   * contains afterwards. Returns undefined without calling `save` if a value is no longer what it was `before`; `save`
   * must fail if the rows differ from those `read`.
   */
  takeOver<T>(writes: readonly OptionWrite[], save: (read: readonly OptionRow[]) => Promise<T>): Promise<T | undefined>
  /** Reloads the table, after another process wrote to it (docs/reference/options.md#storage). */
  reload(): Promise<void>
}

/**
 * Opens the settings: reads are synchronous and from memory, writes are serialized, and values in force have passed
 * their check (docs/reference/options.md#validation). An unreadable row does not prevent the start: its default
 * applies.
 */
export async function openSettings(deps: SettingsDeps): Promise<Settings> {
  const { store, listenAddress, othersAddress = () => undefined, warn } = deps
  const defaults = defaultValues(deps.defaults ?? pricingDefaults)
  const { values, value, putInForce, onChange, derive } = openChanges(
    readRows(await store.load(), defaults, warn),
    warn,
  )
  const mutex = pLimit(1)
  const serverAddress = () => values().ServerAddress || listenAddress()
  const addressForOthers = (cameBy?: string) => {
    const { ServerAddress: configured } = values()
    return configured !== '' && !isNearAddress(configured) ? configured : (cameBy ?? othersAddress())
  }

  /** Reads the table again, since another node may have written it, and puts its values in force. */
  const read = async (report: Warn = () => {}) => {
    const rows = await store.load()
    putInForce(rereadRows(rows, { before: values(), defaults }, report))
    return rows
  }
  const change = (requested: readonly WantedValue[], author: Author) =>
    mutex(async () => {
      for (;;) {
        const rows = await read()
        const before = values()
        const checked = await checkAll(requested, before)
        const outdated = checked.filter((_, index) => isOutdated(requested[index], before)).map(({ key }) => key)
        if (outdated.length > 0) return outdated
        if (await store.save(writesOf(checked, before), author, rows)) {
          putInForce(withAll(values(), checked))
          return []
        }
      }
    })
  const set = async (key: string, raw: string, author: Author) => void (await change([{ key, value: raw }], author))
  const defaultOf = (key: OptionKey) => encodeOption(key, defaults[key])

  return {
    get: value,
    set: (key, raw, author = gatewayAuthor) => set(key, raw, author),
    change,
    refusals: async (requested) => (await sortOut(requested, values())).refused,
    reset: (key, author = gatewayAuthor) => set(key, defaultOf(key), author),
    defaultOf,
    isInForce: (key, text) => isInForce(key, text, values()),
    states: () =>
      optionKeys.map((key) => {
        const inForce = values()[key]
        const isDefault = inForce === defaults[key] || encodeOption(key, inForce) === defaultOf(key)
        return { key, isDefault, isSet: isFilled(inForce) }
      }),
    onChange,
    derive,
    all: () => readableKeys.map((key) => ({ key, value: encodeOption(key, values()[key]) })),
    published: () => publishedOf({ ...values(), ServerAddress: serverAddress() }),
    serverAddress,
    addressForOthers: () => addressForOthers(),
    linkAddress: (cameBy) => addressForOthers(cameBy) ?? serverAddress(),
    takeOver: (writes, save) =>
      mutex(async () => {
        const rows = await read()
        if (writes.some(({ key, before }) => encodeOption(key, values()[key]) !== before)) return undefined
        const saved = await save(rows)
        await read(warn)
        return saved
      }),
    reload: () => mutex(async () => void (await read(warn))),
  }
}

const writesOf = (checked: Awaited<ReturnType<typeof checkAll>>, before: OptionValues): readonly OptionWrite[] =>
  checked.map(({ key, value }) => ({
    key,
    before: encodeOption(key, before[key]),
    value: encodeOption(key, value),
  }))

const gatewayAuthor: Author = { id: 0, username: '', origin: 'edit' }

const isOutdated = (requested: WantedValue | undefined, values: OptionValues): boolean =>
  requested?.base !== undefined && isOptionKey(requested.key) && !isInForce(requested.key, requested.base, values)

const readableKeys = optionKeys.filter((key) => options[key].secret !== true)

function publishedOf(values: OptionValues): Record<string, unknown> {
  return Object.fromEntries(
    readableKeys.flatMap((key) => {
      const name = options[key].publishAs
      return name === undefined ? [] : [[name, values[key]]]
    }),
  )
}
