import pLimit from 'p-limit'
import { nested } from '../../shared/messages/format.ts'
import {
  decodeOption,
  encodeOption,
  isOptionKey,
  labelOf,
  type OptionKey,
  type OptionValue,
  optionKeys,
  options,
} from '../../shared/options/index.ts'
import { OptionRefusal } from '../../shared/options/wire.ts'
import { refuse } from '../base/errors.ts'
import { type ChangeListener, openChanges } from './changes.ts'
import { pricingDefaults } from './pricing-defaults/index.ts'
import { defaultValues, isFilled, type OptionRow, type OptionValues, readRows, type Warn, withValue } from './values.ts'

/** The table behind the settings. Secret values are sealed and opened by whoever implements it. */
export interface OptionStore {
  load(): Promise<readonly OptionRow[]>
  save(key: OptionKey, value: string): Promise<void>
}

export interface SettingsSurroundings {
  store: OptionStore
  /** Where the gateway listens, without a trailing slash; asked each time, since the port may be known late. */
  listenAddress: () => string
  warn: Warn
  /** Defaults too large for shared/options; without it the built-in price tables. */
  defaults?: Partial<OptionValues>
}

export interface Settings {
  /** The value in force, from memory. Objects and lists are frozen. */
  get<K extends OptionKey>(key: K): OptionValue<K>
  /** Checks and stores a value and only then puts it in force. A refusal or a failed save leaves everything as it was. */
  set(key: string, raw: string): Promise<void>
  /** Stores the default of a setting and puts it in force. */
  reset(key: OptionKey): Promise<void>
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
  /** Reads the table again, for what another process has written (docs/reference/options.md#storage). */
  reload(): Promise<void>
}

/**
 * Opens the settings: reads are synchronous and from memory, writes run one after the other, and whatever is in force
 * has passed its check (docs/reference/options.md#validation). A row that cannot be read does not stop the start: its
 * default holds.
 */
export async function openSettings(surroundings: SettingsSurroundings): Promise<Settings> {
  const { store, listenAddress, warn } = surroundings
  const defaults = defaultValues(surroundings.defaults ?? pricingDefaults)
  const { values, value, putInForce, onChange, derive } = openChanges(
    readRows(await store.load(), defaults, warn),
    warn,
  )
  const inTurn = pLimit(1)
  const serverAddress = () => values().ServerAddress || listenAddress()

  const write = (key: OptionKey, value: OptionValue<OptionKey>) =>
    inTurn(async () => {
      if (value === true) checkNeeds(key, values())
      await store.save(key, encodeOption(key, value))
      putInForce(withValue(values(), key, value))
    })

  return {
    get: value,
    set: async (key, raw) => {
      if (!isOptionKey(key)) throw refuse('invalid', 'option.unknown', { key })
      await write(key, decodeOrRefuse(key, raw))
    },
    reset: (key) => write(key, defaults[key]),
    onChange,
    derive,
    all: () => readableKeys.map((key) => ({ key, value: encodeOption(key, values()[key]) })),
    published: () => publishedOf({ ...values(), ServerAddress: serverAddress() }),
    serverAddress,
    reload: () => inTurn(async () => putInForce(readRows(await store.load(), values(), warn))),
  }
}

const readableKeys = optionKeys.filter((key) => options[key].secret !== true)

function publishedOf(values: OptionValues): Record<string, unknown> {
  return Object.fromEntries(
    readableKeys.flatMap((key) => {
      const name = options[key].publishAs
      return name === undefined ? [] : [[name, values[key]]]
    }),
  )
}

/** Refuses to turn a flag on while settings it depends on are empty (docs/reference/options.md#dependencies). */
function checkNeeds(key: OptionKey, values: OptionValues): void {
  const missing = (options[key].needs ?? []).filter(isOptionKey).filter((needed) => !isFilled(values[needed]))
  if (missing.length === 0) return
  const fields = missing.map((needed) => nested(labelOf(needed))).join(', ')
  throw refuse('invalid', 'option.need_first', { name: nested(labelOf(key)), fields })
}

function decodeOrRefuse(key: OptionKey, raw: string): OptionValue<OptionKey> {
  try {
    return decodeOption(key, raw)
  } catch (error) {
    if (error instanceof OptionRefusal) throw refuse('invalid', error.key, error.params)
    throw error
  }
}
