import { type BillableExtras, PLAIN } from '../../gateway/billing/billable-extras.ts'
import { chargeFor } from '../../gateway/billing/meter.ts'
import type { Price } from '../../gateway/billing/price.ts'
import { receiptFacts, receiptText } from '../../gateway/billing/receipt-facts.ts'
import { type Usage, usageOf } from '../../gateway/billing/usage.ts'
import type { Gateway } from '../../gateway/composition/create-gateway.ts'
import { logType } from '../../shared/enums.ts'

/** One kind of charge: its model, usage and request, and how its price differs from a plain one. */
type Sold = Readonly<{
  model: string
  price?: Partial<Price>
  usage: Partial<Usage>
  extras?: BillableExtras
  stream?: boolean
}>

/**
 * A charge for every kind of receipt line, by name (docs/reference/billing.md#charge,
 * docs/reference/billing.md#images).
 */
const sold = {
  cache: {
    model: 'claude-sonnet-4-5',
    price: { modelRatio: 1.5, completionRatio: 5, cacheRatio: 0.1 },
    usage: {
      prompt: 812,
      completion: 2410,
      cacheRead: 48_200,
      cacheWrite: 9400,
      cacheWriteHour: 6100,
      webSearches: 3,
      semantics: 'anthropic',
    },
    extras: { webSearch: { size: 'medium' } },
    stream: true,
  },
  picture: {
    model: 'dall-e-3',
    price: { fixed: 0.04, groupRatio: 0.8, exclusiveRatio: 0.8 },
    usage: {},
    extras: { times: 6, image: { size: '1024x1792', quality: 'hd', n: 2 } },
  },
  sound: {
    model: 'gpt-4o-realtime-preview',
    price: { modelRatio: 2.5, completionRatio: 4, audioRatio: 16, audioCompletionRatio: 2 },
    usage: { prompt: 1250, completion: 640, audioInput: 1100, audioOutput: 600 },
    extras: { realtime: true },
    stream: true,
  },
  sight: {
    model: 'gemini-2.5-flash',
    price: { modelRatio: 0.15, completionRatio: 8.333333, imageRatio: 2, audioInputPrice: 1 },
    usage: { prompt: 5200, completion: 330, imageInput: 1290, audioInput: 2400, fileSearches: 2, reasoning: 120 },
  },
  hit: {
    model: 'gpt-4.1-nano',
    price: { modelRatio: 0.05, completionRatio: 4 },
    usage: { prompt: 4210, completion: 365 },
    extras: { cacheHit: { ratio: 0.25, ageSeconds: 754 } },
  },
  long: {
    model: 'gpt-5.4',
    price: {
      modelRatio: 1.25,
      completionRatio: 6,
      steps: [{ above: 272_000, input: 2, output: 1.5 }],
      tiers: { priority: 2 },
    },
    usage: { prompt: 301_400, completion: 820, tiers: ['priority'] },
  },
} as const satisfies Readonly<Record<string, Sold>>

/** Kinds of charges, with the models that distinguish their rows. */
export const soldModels = Object.entries(sold).map(([kind, { model }]) => ({ kind, model }))

/** Writes a row for each kind of charge as the relay would (gateway/relay/metering/log-row.ts), without any request. */
export async function logReceipts({ db }: Pick<Gateway['inner'], 'db'>): Promise<void> {
  const now = Math.floor(Date.now() / 1000)
  const rows = Object.values<Sold>(sold).map((one, place) => rowOf(one, place, now))
  await db.insertInto('logs').values(rows).execute()
}

/** A channel in cooldown at that time. */
const skipped = [{ channel: 2, status: 429, seconds: 42 }]

const QUOTA_PER_UNIT = 500_000

function rowOf({ model, price, usage, extras = PLAIN, stream = false }: Sold, place: number, at: number) {
  const priced: Price = { ...plain, ...price, model }
  const used = usageOf(usage)
  const requestId = `furnished-${place}`
  const facts = receiptFacts({ usage: used, price: priced, quotaPerUnit: QUOTA_PER_UNIT, extras })
  const told = {
    request_id: requestId,
    frt: 420,
    ended: 'complete',
    admin_info: extras.cacheHit ? { use_channel: [] } : { use_channel: ['1'], tried: [], skipped },
  }
  return {
    user_id: 1,
    created_at: at,
    type: logType.consume,
    username: 'root',
    token_name: 'laptop',
    model_name: model,
    use_time: 4,
    is_stream: stream ? 1 : 0,
    channel_id: extras.cacheHit ? 0 : 1,
    token_id: 1,
    group: 'default',
    ip: '',
    request_id: requestId,
    quota: chargeFor(used, priced, QUOTA_PER_UNIT, extras),
    prompt_tokens: used.prompt,
    completion_tokens: used.completion,
    content: receiptText({ usage: used, price: priced, quotaPerUnit: QUOTA_PER_UNIT, extras }),
    other: JSON.stringify({ ...facts, ...told }),
  }
}

const plain: Omit<Price, 'model'> = {
  fixed: null,
  modelRatio: 1,
  completionRatio: 1,
  cacheRatio: 1,
  cacheWriteRatio: 1.25,
  cacheWriteHourRatio: 2,
  imageRatio: 1,
  audioRatio: null,
  audioCompletionRatio: 1,
  audioInputPrice: null,
  groupRatio: 1,
  exclusiveRatio: null,
  unset: false,
}
