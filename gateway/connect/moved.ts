import type { ConnectClient, ConnectSetting, PlainValue } from '../../shared/connect/client.ts'
import type { ConnectChange } from './edit.ts'
import type { RecordedFile } from './record.ts'

/** A placeholder address, used to find the position of the address in a setting. */
const MARK = 'http://address.invalid'

/**
 * The address that was written into the files of a program, according to the record; empty if there is none
 * (docs/reference/connect.md#another-address).
 */
export function writtenAddress(client: ConnectClient, files: readonly RecordedFile[]): string {
  for (const { change, like } of addressed(client, files)) {
    const address = addressIn(change.value, like)
    if (address !== undefined) return address
  }
  return ''
}

/**
 * Whether an address is an earlier one of this machine's gateway; an address of another machine was chosen by a user.
 */
export const isOldAddress = (written: string, address: string): boolean =>
  written !== '' && !isSameAddress(written, address) && isSameMachine(new URL(written), new URL(address))

/** `localhost` reaches the gateway wherever on this machine it listens. */
function isSameAddress(one: string, other: string): boolean {
  const [first, second] = [new URL(one), new URL(other)]
  const isEither = [first, second].some(({ hostname }) => hostname === 'localhost')
  const isSameHost = first.hostname === second.hostname || (isEither && isSameMachine(first, second))
  return isSameHost && first.protocol === second.protocol && first.port === second.port
}

const isSameMachine = (one: URL, other: URL): boolean =>
  one.hostname === other.hostname || (isLoopback(one.hostname) && isLoopback(other.hostname))
const isLoopback = (host: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host)

/** The settings of a file that contain another address, each with its current value and with the new address in it. */
export const movedSettings = (
  client: ConnectClient,
  file: RecordedFile,
  address: string,
): readonly Readonly<{ now: ConnectSetting; next: ConnectSetting }>[] =>
  addressed(client, [file]).flatMap(({ change: { path, value }, like }) => {
    const next = withAddress(value, like, address)
    const now = value as PlainValue // recorded values come from settings
    const written = addressIn(value, like)
    return written === undefined || isSameAddress(written, address)
      ? []
      : [{ now: { path, value: now }, next: { path, value: next } }]
  })

/** The recorded values that contain an address, with templates of its position. */
function addressed({ files = [] }: ConnectClient, recorded: readonly RecordedFile[]) {
  const likes = files.flatMap(({ settings }) => settings({ address: MARK, key: 'key', model: 'model' }))
  const byPath = new Map(likes.map(({ path, value }) => [JSON.stringify(path), value]))
  const all: Readonly<{ change: ConnectChange; like: PlainValue }>[] = []
  for (const { changes } of recorded)
    for (const change of changes) {
      const like = byPath.get(JSON.stringify(change.path))
      if (like !== undefined && addressIn(change.value, like) !== undefined) all.push({ change, like })
    }
  return all
}

type Members = Readonly<Record<string, unknown>>
const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}

/** The part of a value at the placeholder's position; undefined if that is not an address. */
function addressIn(value: unknown, like: unknown): string | undefined {
  if (typeof like === 'string') {
    if (!like.startsWith(MARK) || typeof value !== 'string') return undefined
    const rest = like.slice(MARK.length)
    const address = value.slice(0, value.length - rest.length)
    return value.endsWith(rest) && URL.parse(address)?.origin === address ? address : undefined
  }
  const members = membersOf(value)
  for (const [name, inner] of Object.entries(membersOf(like))) {
    const found = addressIn(members[name], inner)
    if (found !== undefined) return found
  }
  return undefined
}

function withAddress(value: unknown, like: unknown, address: string): PlainValue {
  if (typeof like === 'string')
    return addressIn(value, like) === undefined ? (value as PlainValue) : address + like.slice(MARK.length)
  if (Array.isArray(value) && Array.isArray(like)) return value.map((one, at) => withAddress(one, like[at], address))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value as PlainValue
  const likes = membersOf(like)
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withAddress(one, likes[name], address)]))
}
