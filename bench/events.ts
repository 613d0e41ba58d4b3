import { parseArgs } from 'node:util'
import { usageOf } from '../gateway/billing/usage.ts'
import { AnswerBudget } from '../gateway/relay/formats/answer-budget.ts'
import { type AnswerFrame, NO_CLIENT_TOOLS } from '../gateway/relay/formats/codec.ts'
import { createCodecs } from '../gateway/relay/formats/codecs.ts'
import type { AnswerEvent } from '../gateway/relay/formats/events.ts'
import { type Format, formatLabels, formats } from '../gateway/relay/formats/format.ts'
import { tapFor, translated, untouched } from '../gateway/relay/transforms/stream-transforms.ts'
import type { StreamTransform } from '../gateway/relay/transforms/transform.ts'

/**
 * `npm run bench -- events`: the cost of watching and of translating one event of a stream, in one process
 * (bench/README.md).
 */
const { values: flags } = parseArgs({ options: { rounds: { type: 'string', default: '7' } } })
const ROUNDS = Number(flags.rounds)
const TEXTS = 200
const STREAMS = 60
/** A translation may cost at most this many times as much as watching the same stream. */
const MAX = 3

let calls = 0
const codecs = createCodecs(() => `call_${calls++}`)
const frame: AnswerFrame = {
  id: 'bench',
  model: 'gpt-4o',
  created: 1_700_000_000,
  wantsUsage: true,
  promptTokens: () => 10,
  request: {},
  clientTools: NO_CLIENT_TOOLS,
  isStored: false,
}
const usage = usageOf({ prompt: 10, completion: TEXTS })

/** One chunk per event, as a paced stream arrives. */
function chunksOf(format: Format): readonly Buffer[] {
  const encoder = codecs[format].encodeStream(frame)
  const texts = Array.from(
    { length: TEXTS },
    (_, at) => ({ type: 'text', choice: 0, text: ` word${at % 10}` }) as const,
  )
  const events: readonly AnswerEvent[] = [
    { type: 'start', id: 'x', model: 'gpt-4o' },
    ...texts,
    { type: 'finish', choice: 0, reason: 'stop' },
  ]
  const written = events.map((event) => encoder.add(event)).concat(encoder.end(usage))
  return written.filter((text) => text !== '').map((text) => Buffer.from(text))
}

const ways = formats.flatMap((from) => [
  { from, to: from, open: () => untouched(tapFor(codecs, from, 'bench-model'), false, (payload) => payload).transform },
  ...formats
    .filter((to) => to !== from)
    .map((to) => ({
      from,
      to,
      open: () => translated(codecs[from], codecs[to], 'bench-model', frame, new AnswerBudget()).transform,
    })),
])

function nanosecondsPerEvent(chunks: readonly Buffer[], open: () => StreamTransform): number {
  const started = process.hrtime.bigint()
  let length = 0
  for (let stream = 0; stream < STREAMS; stream += 1) {
    const transform = open()
    for (const chunk of chunks) length += transform.feed(chunk).length
    length += transform.end().length + transform.close(usage).length
  }
  if (length === 0) throw new Error('nothing was written')
  return Number(process.hrtime.bigint() - started) / (STREAMS * chunks.length)
}

const median = (figures: readonly number[]): number =>
  [...figures].sort((a, b) => a - b)[figures.length >> 1] ?? Number.NaN

const streams = new Map(formats.map((format) => [format, chunksOf(format)]))
const figures = new Map(ways.map((way) => [way, [] as number[]]))
for (let round = 0; round <= ROUNDS; round += 1)
  for (const way of ways) {
    const cost = nanosecondsPerEvent(streams.get(way.from) ?? [], way.open)
    if (round > 0) figures.get(way)?.push(cost)
  }

let missed = 0
for (const from of formats) {
  const costOf = (to: Format) => {
    const way = ways.find((one) => one.from === from && one.to === to)
    return median((way && figures.get(way)) ?? [])
  }
  const tap = costOf(from)
  console.log(`${formatLabels[from].padEnd(26)} watched     ${(tap / 1000).toFixed(2)} µs an event`)
  for (const to of formats) {
    if (to === from) continue
    const ratio = costOf(to) / tap
    if (ratio > MAX) missed += 1
    console.log(
      `${''.padEnd(26)} translated  ${(costOf(to) / 1000).toFixed(2)} µs, ${ratio.toFixed(2)} times, into ${formatLabels[to]}${ratio > MAX ? ` (more than ${MAX})` : ''}`,
    )
  }
}
process.exitCode = missed > 0 ? 1 : 0
