import type { ImportChoices } from '../../shared/api/import.ts'
import { role } from '../../shared/enums.ts'
import { refuse } from '../base/errors.ts'
import { mapYielding } from '../base/fair-yield.ts'
import { randomHex, sha256 } from '../base/ids.ts'
import type { Db } from '../store/sqlite/database.ts'
import type { ForeignDatabase } from '../store/sqlite/foreign-database.ts'
import type { ForeignRow } from '../store/sqlite/foreign-rows.ts'
import { isDeleted, wholeOf } from './cells.ts'
import { decodeFacts, encodeFacts, type Facts, factsOf, type Likeness, likenessOf } from './facts.ts'
import type { Known } from './known.ts'
import { channelMarkOf, userMarkOf } from './marks.ts'
import type { PlannedMark } from './plan.ts'
import { keyIn } from './tokens.ts'

/** Which installation a database belongs to, and which of its accounts were imported before. */
export type Recognition = Readonly<{
  /** Identifies the installation here: the same for all its copies. */
  source: string
  /** By id in the file. */
  facts: ReadonlyMap<number, string>
  /** Whether the account with this id in the file is the one that was imported. */
  isRecognized: (theirId: number) => boolean
  /** Whether the account may have been imported as part of another installation. */
  isDoubtful: (theirId: number) => boolean
}>

type RecognitionDeps = Readonly<{
  db: Db
  known: Known
  choices: ImportChoices
  importer: number
  maxRows: number
  /** Called after each slice; throws to abort the reading. */
  onProgress: (table: 'users', done: number, total: number) => void
}>

/** Max accounts that are compared if accounts are not imported. */
const SAMPLE = 1000

/**
 * Compares the accounts of a file with those of each earlier import, since no field of the database identifies its
 * installation. Throws if accounts would be imported and it is unclear whether they were before
 * (docs/operations.md#copies-and-other-installations).
 */
export async function recognize(database: ForeignDatabase, deps: RecognitionDeps): Promise<Recognition> {
  const file = await readEvidence(database, deps)
  const comparisons: Comparison[] = []
  for (const source of await sourcesIn(deps.db)) comparisons.push(await compare(source, file, deps))
  const copies = comparisons.filter(({ outcome }) => outcome === 'copy')
  const copy = copies.sort((one, other) => other.same - one.same)[0]
  const unclear = comparisons.filter(({ outcome }) => outcome === 'unclear').flatMap(({ imported }) => imported)
  if (!copy && unclear.length > 0 && deps.choices.accounts) throw refuse('invalid', 'import.source_unclear')
  const same = comparisons.flatMap(({ imported, likeness }) => imported.filter((id) => likeness.get(id) === 'same'))
  const doubtful = new Set([...unclear, ...same])
  return {
    source: copy?.source ?? randomHex(64),
    facts: new Map(file.people.map(({ theirId, facts }) => [theirId, encodeFacts(facts)])),
    isRecognized: (theirId) => ['same', 'namesake'].includes(copy?.likeness.get(theirId) ?? ''),
    isDoubtful: (theirId) => doubtful.has(theirId),
  }
}

/** Marks to write for accounts that are not imported now: they make a later copy recognizable. */
export async function marksOf(
  { source, facts, isRecognized }: Recognition,
  { known, imported }: Readonly<{ known: Known; imported: ReadonlySet<number> }>,
): Promise<PlannedMark[]> {
  const marks = await mapYielding(facts, ([theirId, own]): PlannedMark[] => {
    const mark = userMarkOf(source, theirId)
    const before = known.marks.get(mark)
    const ownId = before?.ownId ?? 0
    const isOther = ownId > 0 && !isRecognized(theirId)
    return isOther || before?.facts === own || imported.has(theirId) ? [] : [{ mark, ownId, facts: own }]
  })
  return marks.flat()
}

type Person = Readonly<{ theirId: number; isRoot: boolean; facts: Facts }>

type Evidence = Readonly<{
  people: readonly Person[]
  /** Hashes of passwords that several accounts have. */
  sharedPasswords: ReadonlySet<string>
  /** By id in the file: ids here of the owners of tokens with the same keys. */
  keyOwners: ReadonlyMap<number, ReadonlySet<number>>
  channels: readonly ForeignRow[]
}>

async function readEvidence(database: ForeignDatabase, deps: RecognitionDeps): Promise<Evidence> {
  const people = await readPeople(database, deps)
  const passwords = new Set<string>()
  const sharedPasswords = new Set<string>()
  for (const { facts } of people) (passwords.has(facts.password) ? sharedPasswords : passwords).add(facts.password)
  const channels: ForeignRow[] = []
  for await (const rows of database.rows('channels', ['id', 'created_time'])) {
    channels.push(...rows.filter((row) => wholeOf(row, 'created_time') > 0))
    if (channels.length >= deps.maxRows) break
  }
  return { people, sharedPasswords, keyOwners: await readKeyOwners(database, deps), channels }
}

const personColumns = ['id', 'username', 'password', 'access_token', 'aff_code', 'role', 'status', 'deleted_at']

async function readPeople(database: ForeignDatabase, { choices, maxRows, onProgress }: RecognitionDeps) {
  const people = new Map<number, Person>()
  const limit = choices.accounts ? maxRows : SAMPLE
  let done = 0
  for await (const rows of database.rows('users', personColumns)) {
    for (const row of rows) {
      const theirId = wholeOf(row, 'id')
      if (people.has(theirId) || people.size >= limit || isDeletedUser(row)) continue
      people.set(theirId, { theirId, isRoot: wholeOf(row, 'role') >= role.root, facts: factsOf(row) })
    }
    done += rows.length
    onProgress('users', done, database.tables.users?.rows ?? 0)
    if (people.size >= limit) break
  }
  return [...people.values()]
}

/** one-api's status of deleted users. */
const DELETED_STATUS = 3

export const isDeletedUser = (row: ForeignRow): boolean => isDeleted(row) || wholeOf(row, 'status') === DELETED_STATUS

async function readKeyOwners(database: ForeignDatabase, { db, maxRows }: RecognitionDeps) {
  const owners = new Map<number, Set<number>>()
  let done = 0
  for await (const rows of database.rows('tokens', ['user_id', 'key'])) {
    const theirIds = new Map(rows.map((row) => [sha256(keyIn(row)), wholeOf(row, 'user_id')]))
    const hashes = [...theirIds.keys()]
    const found = await db
      .selectFrom('tokens')
      .select(['key_hash', 'user_id'])
      .where('key_hash', 'in', hashes)
      .execute()
    for (const { key_hash, user_id } of found) {
      const theirId = theirIds.get(key_hash) ?? 0
      owners.set(theirId, (owners.get(theirId) ?? new Set()).add(Number(user_id)))
    }
    done += rows.length
    if (done >= maxRows) break
  }
  return owners
}

async function sourcesIn(db: Db): Promise<readonly string[]> {
  const rows = await db.selectFrom('imports').select('source').distinct().where('origin', '!=', 'litellm').execute()
  return rows.map(({ source }) => source)
}

type Comparison = Readonly<{
  source: string
  outcome: 'copy' | 'another' | 'unclear'
  /** Number of accounts and channels that agree. */
  same: number
  likeness: ReadonlyMap<number, Likeness>
  /** Ids in the file of accounts that may have been imported from the source. */
  imported: readonly number[]
}>

async function compare(
  source: string,
  { people, sharedPasswords, keyOwners, channels }: Evidence,
  { known, choices, importer }: RecognitionDeps,
): Promise<Comparison> {
  const likeness = new Map<number, Likeness>()
  const imported: number[] = []
  await mapYielding(people, ({ theirId, isRoot, facts }) => {
    const mark = known.marks.get(userMarkOf(source, theirId))
    if (!mark) return
    const hasSharedPassword = sharedPasswords.has(facts.password)
    const hasKey = keyOwners.get(theirId)?.has(mark.ownId || importer) ?? false
    const own = likenessOf(decodeFacts(mark.facts), facts, { hasSharedPassword, hasKey })
    likeness.set(theirId, own)
    const isMine = isRoot && choices.root === 'mine'
    if (mark.ownId > 0 && own !== 'other' && !isMine) imported.push(theirId)
  })
  const sameChannels = await mapYielding(channels, (row) => known.marks.has(channelMarkOf(source, row)))
  const all = [...likeness.values()]
  const count = (wanted: Likeness) => all.filter((one) => one === wanted).length
  const same = count('same') + sameChannels.filter(Boolean).length
  const counts = { same, namesakes: count('namesake'), strangers: count('stranger'), others: count('other') }
  return { source, outcome: outcomeOf(counts), same, likeness, imported }
}

/** A copy, or another installation, needs this many times as much evidence as there is against it. */
const MAJORITY = 3
/** Accounts without comparable invitation codes may have changed completely: a few of them prove nothing. */
const MIN_STRANGERS = 3

function outcomeOf({
  same,
  namesakes,
  strangers,
  others,
}: Readonly<Record<'same' | 'namesakes' | 'strangers' | 'others', number>>): Comparison['outcome'] {
  const against = strangers + others
  if (same > 0 && same >= MAJORITY * against) return 'copy'
  const isProven = others > 0 || strangers >= MIN_STRANGERS
  return isProven && against >= MAJORITY * same && against >= namesakes ? 'another' : 'unclear'
}
