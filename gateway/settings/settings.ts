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

/** The table behind the settings. Secret values are sealed and opened by whoever implements it. */
interface OptionStore {
  load(): Promise<readonly OptionRow[]>
  /** Stores all of them or none. */
  save(writes: readonly OptionWrite[], author: Author): Promise<void>
}

/** How a setting stands; of a secret one this is all that may be told. */
type SettingState = Readonly<{ key: OptionKey; isDefault: boolean; isSet: boolean }>

interface SettingsSurroundings {
  store: OptionStore
  /** Where the gateway listens, without a trailing slash; asked each time, since the port may be known late. */
  listenAddress: () => string
  /** Where others find it, beside what the setting says; undefined while only this machine does. */
  othersAddress?: () => string | undefined
  warn: Warn
  /** Defaults too large for shared/options; without it the built-in price tables. */
  defaults?: Partial<OptionValues>
}

export interface Settings {
  /** The value in force, from memory. Objects and lists are frozen. */
  get<K extends OptionKey>(key: K): OptionValue<K>
  /** Checks and stores a value and only then puts it in force. A refusal or a failed save leaves everything as it was. */
  set(key: string, raw: string, author?: Author): Promise<void>
  /**
   * Checks all values, stores them in one transaction and puts them in force together; at the first refusal everything
   * stays as it was. So it does where a `base` is no longer what is in force: the keys of those are answered.
   */
  change(wanted: readonly WantedValue[], author: Author): Promise<readonly OptionKey[]>
  /** Why each of the values that could not be taken together with the others could not, by key; changes nothing. */
  refusals(wanted: readonly WantedValue[]): Promise<ReadonlyMap<string, GatewayError>>
  /** Stores the default of a setting and puts it in force. */
  reset(key: OptionKey, author?: Author): Promise<void>
  /** The default of a setting, as its string. */
  defaultOf(key: OptionKey): string
  /** Whether a text stands for the value in force, however it is written. Never asked for a secret on behalf of a person. */
  isInForce(key: OptionKey, text: string): boolean
  /** How every setting stands, the secret ones included. */
  states(): SettingState[]
  /** Calls back after one of `keys` has changed, with those that did; returns the way to stop that. */
  onChange(keys: readonly OptionKey[], listener: ChangeListener): () => void
  /** A value built from `keys`, built again only when one of them has changed. */
  derive<T>(keys: readonly OptionKey[], build: () => T): () => T
  /** Every setting but the secret ones, as strings (GET /api/option/). */
  all(): { key: OptionKey; value: string }[]
  /** What anyone may know, by its name in the public status (docs/reference/api.md#status). */
  published(): Record<string, unknown>
  /** The address of this gateway in links: the setting, or where it listens. No trailing slash. */
  serverAddress(): string
  /** The address that others can open (docs/reference/share.md#addresses-that-are-told); undefined while only this machine can. */
  addressForOthers(): string | undefined
  /**
   * The address in mails, notices and links to images, which may be opened anywhere. `cameBy` is where the call came in that
   * causes it, if others open the gateway by it: it counts where no server address is set that they can open.
   */
  linkAddress(cameBy?: string): string
  /**
   * Has `save` store values in a transaction that holds more than these, in turn with all other writes, and puts in force
   * what the table has then. Undefined, and nothing was called, where a value is no longer what it was `before`.
   */
  takeOver<T>(writes: readonly OptionWrite[], save: () => Promise<T>): Promise<T | undefined>
  /** Reads the table again, for what another process has written (docs/reference/options.md#storage). */
  reload(): Promise<void>
}

/**
 * Opens the settings: reads are synchronous and from memory, writes run one after the other, and whatever is in force
 * has passed its check (docs/reference/options.md#validation). A row that cannot be read does not stop the start: its
 * default holds.
 */
export async function openSettings(surroundings: SettingsSurroundings): Promise<Settings> {
  const { store, listenAddress, othersAddress = () => undefined, warn } = surroundings
  const defaults = defaultValues(surroundings.defaults ?? pricingDefaults)
  const { values, value, putInForce, onChange, derive } = openChanges(
    readRows(await store.load(), defaults, warn),
    warn,
  )
  const inTurn = pLimit(1)
  const serverAddress = () => values().ServerAddress || listenAddress()
  const addressForOthers = (cameBy?: string) => {
    const { ServerAddress: said } = values()
    return said !== '' && !isNearAddress(said) ? said : (cameBy ?? othersAddress())
  }

  const change = (wanted: readonly WantedValue[], author: Author) =>
    inTurn(async () => {
      const before = values()
      const checked = await checkAll(wanted, before)
      const outdated = checked.filter((_, index) => isOutdated(wanted[index], before)).map(({ key }) => key)
      if (outdated.length > 0) return outdated
      const writes = checked.map(({ key, value }) => ({
        key,
        before: encodeOption(key, before[key]),
        value: encodeOption(key, value),
      }))
      await store.save(writes, author)
      putInForce(withAll(values(), checked))
      return []
    })
  const readAgain = async () => putInForce(rereadRows(await store.load(), { before: values(), defaults }, warn))
  const set = async (key: string, raw: string, author: Author) => void (await change([{ key, value: raw }], author))
  const defaultOf = (key: OptionKey) => encodeOption(key, defaults[key])

  return {
    get: value,
    set: (key, raw, author = itself) => set(key, raw, author),
    change,
    refusals: async (wanted) => (await sortOut(wanted, values())).refused,
    reset: (key, author = itself) => set(key, defaultOf(key), author),
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
      inTurn(async () => {
        if (writes.some(({ key, before }) => encodeOption(key, values()[key]) !== before)) return undefined
        const saved = await save()
        await readAgain()
        return saved
      }),
    reload: () => inTurn(readAgain),
  }
}

/** Who is written down where nobody is named. */
const itself: Author = { id: 0, username: '', origin: 'edit' }

const isOutdated = (wanted: WantedValue | undefined, values: OptionValues): boolean =>
  wanted?.base !== undefined && isOptionKey(wanted.key) && !isInForce(wanted.key, wanted.base, values)

const readableKeys = optionKeys.filter((key) => options[key].secret !== true)

function publishedOf(values: OptionValues): Record<string, unknown> {
  return Object.fromEntries(
    readableKeys.flatMap((key) => {
      const name = options[key].publishAs
      return name === undefined ? [] : [[name, values[key]]]
    }),
  )
}
