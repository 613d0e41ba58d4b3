import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { receiptOf } from '../../../shared/receipt.ts'
import { runs } from '../../support/speed.ts'
import { aWorld, type Person, type World } from '../../support/world.ts'
import { type DialectName, dialectNames, dialects } from '../relay/parity/dialects.ts'
import { believed, type Claim, claiming, claims } from './claims.ts'
import { chargeOf, type Used, usedOf } from './oracle/cost.ts'
import { exactPrice, type Operator } from './oracle/prices.ts'

/** Each kind of vendor has a model with every kind of price; `unset` has none. */
const kinds = ['odd', 'free', 'tiny', 'call', 'image', 'sound', 'unset'] as const
const vendors = { chat: 1, claude: 14, gemini: 24 } as const
const models = Object.keys(vendors).flatMap((vendor) => kinds.map((kind) => `${vendor}-${kind}`))
const apart = 'gemini-2.0-flash'
const each = (kind: (typeof kinds)[number], text: string) =>
  Object.fromEntries(Object.keys(vendors).map((vendor) => [`${vendor}-${kind}`, text]))

const operator: Operator = {
  ModelPrice: each('call', '0.0031'),
  ModelRatio: {
    ...each('odd', '0.33337'),
    ...each('free', '0'),
    ...each('tiny', '0.00000001'),
    ...each('image', '1.25'),
    ...each('sound', '2.5'),
    [apart]: '0.05',
  },
  CompletionRatio: { ...each('odd', '4.7'), ...each('sound', '1.3333333333') },
  CacheRatio: { ...each('odd', '0.1'), ...each('image', '0.25'), ...each('sound', '0') },
  CreateCacheRatio: each('odd', '1.11'),
  ImageRatio: each('image', '2.2'),
  AudioRatio: each('sound', '66.67'),
  AudioCompletionRatio: each('sound', '0.5'),
  GroupRatio: { default: '1', partner: '0.7', gift: '0' },
  GroupGroupRatio: { partner: { partner: '0.33' } },
}
const groups = ['default', 'partner', 'gift'] as const

/** Everyone's quota: more than the cost of all calls. */
const GIVEN = 900_000_000_000_000
const RUNS = runs(500)

let world: World
let people: ReadonlyMap<string, Person>
const spent = new Map<string, number>()

beforeAll(async () => {
  const option = (typed: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(typed).map(([name, text]) => [name, Number(text)]))
  world = await aWorld({
    options: {
      ModelPrice: option(operator.ModelPrice),
      ModelRatio: option(operator.ModelRatio),
      CompletionRatio: option(operator.CompletionRatio),
      CacheRatio: option(operator.CacheRatio),
      CreateCacheRatio: option(operator.CreateCacheRatio),
      ImageRatio: option(operator.ImageRatio),
      AudioRatio: option(operator.AudioRatio),
      AudioCompletionRatio: option(operator.AudioCompletionRatio),
      GroupRatio: option(operator.GroupRatio),
      GroupGroupRatio: { partner: { partner: 0.33 } },
      SelfUseModeEnabled: true,
    },
  })
  for (const [vendor, type] of Object.entries(vendors)) {
    const own = [...models.filter((model) => model.startsWith(vendor)), ...(vendor === 'gemini' ? [apart] : [])]
    await world.channel({ models: own.join(','), type, group: groups.join(',') })
  }
  people = new Map(
    await Promise.all(groups.map(async (group) => [group, await world.user({ group, quota: GIVEN })] as const)),
  )
})

/** About thirteen tokens by any tokenizer. */
const SAID = { texts: ['The quick brown fox', ' jumps over', ' the lazy dog.'] }

type Ask = Readonly<{ model: string; dialect: DialectName; stream: boolean; group: string; claim: Claim }>
const asks: fc.Arbitrary<Ask> = fc.record({
  model: fc.constantFrom(...models, apart),
  dialect: fc.constantFrom(...dialectNames),
  stream: fc.boolean(),
  group: fc.constantFrom(...groups),
  claim: claims,
})

/** Cache writes reported only by their duration, with a sum of 0: a case that was once misread. */
const partsAlone = { prompt: 0, completion: 0, cacheWrite: 0, cacheHour: 1 }
const unsaid = { cacheRead: 0, image: 0, audioIn: 0, audioOut: undefined, webSearches: 0 }
const examples: [Ask][] = [false, true].map((stream) => [
  { model: 'claude-odd', dialect: 'openai', stream, group: 'default', claim: { ...unsaid, ...partsAlone } },
])

describe('charges for every form in which a vendor reports usage (docs/reference/billing.md#charge, docs/reference/security.md#money)', () => {
  // Slow, because errors in money show only in many random combinations.
  it('is exact, as its receipt is, and moves user, token, channel and count by just that', async () => {
    let trusted = 0
    await fc.assert(
      fc.asyncProperty(asks, async (ask) => {
        const { path, row } = await answeredAndLogged(ask)
        const used = believed(path, ask.claim)
        expect(row.other.usage_source === 'upstream', `${path} is believed`).toBe(used !== undefined)
        if (used) trusted += 1
        else expectEstimated(row)
        const expected = chargeOf(used ?? estimated(row), priceOf(ask), 500_000)
        expect({ charge: row.quota, receipt: receiptOf({ ...row, other: row.text })?.charge }).toEqual({
          charge: expected,
          receipt: expected,
        })
      }),
      { numRuns: RUNS, examples },
    )
    expect(trusted).toBeGreaterThan(RUNS / 2)
    await expectReconciled()
  })
})

/** Sends the request; returns whether the vendor received it, and the log row. */
async function answeredAndLogged({ model, dialect, stream, group, claim }: Ask) {
  let path = ''
  world.upstream.reset()
  world.upstream.answers((request) => {
    path = request.path
    return claiming(request, SAID, claim)
  })
  const person = people.get(group)
  const asked = dialects[dialect]
  const answer = await person?.calls(asked.path(model, stream), asked.body(model, stream))
  expect(answer?.status).toBe(200)
  const { db, ledger } = world.gateway.inner
  await ledger.flush()
  const id = answer?.headers.get('x-request-id') ?? ''
  const rows = await db.selectFrom('logs').selectAll().where('request_id', '=', id).execute()
  const [row] = rows
  if (!row || rows.length > 1) throw new Error(`${rows.length} rows for a request`)
  spent.set(`channel ${row.channel_id}`, (spent.get(`channel ${row.channel_id}`) ?? 0) + row.quota)
  spent.set(`token ${row.token_id}`, (spent.get(`token ${row.token_id}`) ?? 0) + row.quota)
  spent.set(`user ${row.user_id}`, (spent.get(`user ${row.user_id}`) ?? 0) + row.quota)
  spent.set(`count ${row.user_id}`, (spent.get(`count ${row.user_id}`) ?? 0) + 1)
  return { path, row: { ...row, text: row.other, other: JSON.parse(row.other) } }
}

type Row = Awaited<ReturnType<typeof answeredAndLogged>>['row']

function priceOf({ model, group }: Ask) {
  const price = exactPrice(operator, { model, userGroup: group, usingGroup: group, acceptUnset: true })
  if (!price) throw new Error('no price')
  return price
}

/** Expects an estimate for plain text of about the length of the test's. */
function expectEstimated({ prompt_tokens, completion_tokens }: Row): void {
  expect(prompt_tokens).toBeGreaterThan(5)
  expect(prompt_tokens).toBeLessThan(60)
  expect(completion_tokens).toBeGreaterThan(5)
  expect(completion_tokens).toBeLessThan(40)
}

const estimated = (row: Row): Used => usedOf({ prompt: row.prompt_tokens, completion: row.completion_tokens })

async function expectReconciled(): Promise<void> {
  const { db } = world.gateway.inner
  const users = await db.selectFrom('users').select(['id', 'quota', 'used_quota', 'request_count']).execute()
  for (const { id } of people.values()) {
    const used = spent.get(`user ${id}`) ?? 0
    const expected = { id, quota: GIVEN - used, used_quota: used, request_count: spent.get(`count ${id}`) ?? 0 }
    expect(users.find((user) => user.id === id)).toEqual(expected)
  }
  for (const table of ['tokens', 'channels'] as const)
    for (const { id, used_quota } of await db.selectFrom(table).select(['id', 'used_quota']).execute())
      expect(used_quota, `${table} ${id}`).toBe(spent.get(`${table.slice(0, -1)} ${id}`) ?? 0)
}
