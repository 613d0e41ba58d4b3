import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Usage, usageOf } from '../../../gateway/billing/usage.ts'
import type { EstimateRequest, ListedPrice, PriceFacts } from '../../../shared/api/pricing.ts'
import { receiptOf } from '../../../shared/receipt.ts'
import { dataOf } from '../../support/client.ts'
import { runs } from '../../support/speed.ts'
import { aWorld, type Person, type World } from '../../support/world.ts'
import { dialects } from '../relay/parity/dialects.ts'
import { believed, type Claim, claiming } from './claims.ts'
import type { Used } from './oracle/cost.ts'
import { oracle } from './sales.ts'

/** Models for each kind of vendor, and one with a price per call; Gemini's has a separate price for audio input. */
const models = { 'm-chat': 1, 'm-call': 1, 'm-claude': 14, 'gemini-2.0-flash-001': 24 } as const
type Model = keyof typeof models
const names = Object.keys(models) as Model[] // the keys of a constant
const groups = ['default', 'partner', 'free'] as const

/** Everyone's quota: more than the cost of all calls. */
const GIVEN = 900_000_000_000_000
const TABLES = runs(15)

const ratio = fc
  .tuple(fc.integer({ min: 1, max: 99_999 }), fc.integer({ min: 2, max: 7 }))
  .map(([digits, scale]) => Number(`${digits}e-${scale}`))
const perModel = fc.dictionary(fc.constantFrom(...names), ratio)
const tables = fc.record({
  ModelPrice: fc.record({ 'm-call': ratio }),
  ModelRatio: fc.record({ 'm-chat': ratio, 'm-claude': ratio, 'gemini-2.0-flash-001': ratio }),
  CompletionRatio: perModel,
  CacheRatio: perModel,
  CreateCacheRatio: perModel,
  ImageRatio: perModel,
  AudioRatio: fc.dictionary(fc.constantFrom('m-chat', 'm-call', 'm-claude'), ratio),
  AudioCompletionRatio: fc.constant({}),
  GroupRatio: fc.record({ default: ratio, partner: ratio, free: fc.constant(0) }),
  GroupGroupRatio: fc.oneof(fc.constant({}), fc.record({ partner: fc.record({ partner: ratio }) })),
  QuotaPerUnit: fc.constantFrom(500_000, 1_000_000, 123_457),
})

const tokens = fc.oneof(fc.nat(40), fc.nat(5000), fc.nat(400_000))
const some = fc.option(tokens, { nil: undefined })
const claims: fc.Arbitrary<Claim> = fc.record({
  prompt: tokens.map((count) => count + 1),
  completion: tokens,
  cacheRead: some,
  cacheWrite: some,
  cacheHour: fc.constant(undefined),
  image: some,
  audioIn: some,
  audioOut: some,
  webSearches: fc.constant(undefined),
})
/** One request to each model. */
const asks = fc.tuple(
  ...names.map((model) => fc.record({ model: fc.constant(model), group: fc.constantFrom(...groups), claim: claims })),
)
type Ask = Readonly<{ model: Model; group: (typeof groups)[number]; claim: Claim }>

let world: World
let people: ReadonlyMap<string, Person>

beforeAll(async () => {
  world = await aWorld()
  for (const [model, type] of Object.entries(models))
    await world.channel({ models: model, type, group: groups.join(',') })
  people = new Map(
    await Promise.all(groups.map(async (group) => [group, await world.user({ group, quota: GIVEN })] as const)),
  )
})

describe('the price a caller is shown, estimated and charged (docs/reference/api.md#pricing)', () => {
  // Slow, because errors in money show only in many random combinations.
  it('is one price, to the unit, for any prices, group, vendor and usage', async () => {
    const met = { byCall: 0, byToken: 0, free: 0 }
    await fc.assert(
      fc.asyncProperty(tables, asks, async (table, asked) => {
        for (const [key, value] of Object.entries(table)) await world.option(key as 'ModelRatio', value as never) // the keys of a table are options, with matching values
        for (const ask of asked) {
          const { charged, used } = await chargedFor(ask)
          const shown = shownFor(await listFor(ask), ask, used)
          const estimated = await estimateFor(ask, used)
          expect({ shown, estimated: estimated.quota, receipt: receiptOf(estimated)?.charge }).toEqual({
            shown: charged,
            estimated: charged,
            receipt: charged,
          })
          if (charged === 0) met.free += 1
          else if (ask.model === 'm-call') met.byCall += 1
          else met.byToken += 1
        }
      }),
      { numRuns: TABLES },
    )
    for (const count of Object.values(met)) expect(count).toBeGreaterThan(0)
  })
})

describe('a charge beyond all measure (docs/reference/billing.md#rounding)', () => {
  it('is the most that the ledger takes, and is in the log', async () => {
    await world.option('ModelRatio', { 'm-chat': 1_000_000 })
    await world.option('GroupRatio', { default: 1, partner: 1, free: 0 })
    const claim = { ...nothing, prompt: 10_000_000, completion: 10_000_000 }
    const { charged } = await chargedFor({ model: 'm-chat', group: 'default', claim })
    expect(charged).toBe(1_000_000_000_000)
  })
})

const nothing = {
  prompt: 0,
  completion: 0,
  cacheRead: 0,
  cacheWrite: 0,
  cacheHour: 0,
  image: 0,
  audioIn: 0,
  audioOut: 0,
  webSearches: 0,
}

type List = PriceFacts & Readonly<{ data: readonly ListedPrice[] }>

const personIn = (group: string): Person => people.get(group) ?? world.admin
const listFor = async ({ group }: Ask): Promise<List> => (await personIn(group).get('/api/pricing')).body

/** The cost of a usage according to the price list, by the documented formula in exact fractions. */
function shownFor(list: List, { model, group }: Ask, used: Used): number {
  const entry = list.data.find(({ model_name }) => model_name === model)
  if (!entry) throw new Error(`${model} is not in the list`)
  const isPerCall = entry.quota_type === 1
  const typed = {
    model,
    fixed: isPerCall ? String(entry.model_price) : null,
    modelRatio: String(entry.model_ratio),
    completionRatio: String(entry.completion_ratio),
    cacheRatio: String(entry.cache_ratio),
    cacheWriteRatio: String(entry.cache_creation_ratio),
    imageRatio: String(entry.image_ratio),
    audioRatio: entry.audio_ratio === null ? null : String(entry.audio_ratio),
    audioCompletionRatio: String(entry.audio_completion_ratio),
    groupRatio: String(list.group_ratio[group]),
  }
  return oracle({ usage: usageFrom(used), typed, second: null, extras: {}, quotaPerUnit: list.quota_per_unit })
}

async function estimateFor({ model, group }: Ask, used: Used) {
  const body: EstimateRequest = {
    model,
    semantics: used.isInside ? 'openai' : 'anthropic',
    prompt_tokens: used.prompt,
    completion_tokens: used.completion,
    cache_tokens: used.cacheRead,
    cache_creation_tokens: used.cacheWrite,
    image_tokens: used.image,
    audio_tokens: used.audioIn,
    audio_completion_tokens: used.audioOut,
  }
  return dataOf(await personIn(group).post('/api/pricing/estimate', body))
}

const usageFrom = ({ image, audioIn, audioOut, cacheHour, isInside, ...same }: Used): Usage =>
  usageOf({
    ...same,
    imageInput: image,
    audioInput: audioIn,
    audioOutput: audioOut,
    cacheWriteHour: cacheHour,
    semantics: isInside ? 'openai' : 'anthropic',
  })

/** Sends a request to a vendor that claims this usage; returns the cost in the log. */
async function chargedFor({ model, group, claim }: Ask): Promise<{ charged: number; used: Used }> {
  let path = ''
  world.upstream.reset()
  world.upstream.answers((request) => {
    path = request.path
    return claiming(request, { texts: ['It jumps.'] }, claim)
  })
  const { path: asked, body } = dialects.openai
  const answer = await personIn(group).calls(asked(), body(model, false))
  expect(answer.status).toBe(200)
  const { db, ledger } = world.gateway.inner
  await ledger.flush()
  const id = answer.headers.get('x-request-id') ?? ''
  const row = await db.selectFrom('logs').select('quota').where('request_id', '=', id).executeTakeFirstOrThrow()
  const used = believed(path, claim)
  if (!used) throw new Error('the claim is one to be believed')
  return { charged: row.quota, used }
}
