import { beforeAll, expect, it } from 'vitest'
import { type Format, formats } from '../../gateway/relay/formats/format.ts'
import { usualModels } from '../gateway/relay/goldens/golden.ts'
import { requestGoldens } from '../gateway/relay/goldens/requests/index.ts'
import { messageAnswer } from '../support/anthropic.ts'
import { chatAnswer } from '../support/chat.ts'
import { geminiAnswer } from '../support/gemini.ts'
import { randomFrom } from '../support/random.ts'
import { readingMs, watchTurns } from '../support/turns.ts'
import { aWorld, type Person, type World } from '../support/world.ts'

/**
 * Requests with every feature that the goldens have, with two of their parts multiplied: work that grows with the
 * product of two lengths takes thousands of times as long as to parse the request.
 */
const REQUESTS = 300
const SEED = 20_261_130
const MAX_READINGS = 50
/** Turns of the event loop shorter than this may be garbage collections. */
const MIN_MS = 150
const COUNT = 24_000
const MAX_CHARACTERS = 4_000_000

let world: World
let mallory: Person
beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true, RetryTimes: 0 } })
  await world.channel({ models: usualModels.openai })
  await world.channel({ type: 14, models: usualModels.anthropic })
  await world.channel({ type: 24, models: usualModels.gemini })
  mallory = await world.user({ quota: 1_000_000_000_000 })
  world.upstream.answers(({ path }) => ({ body: answerAt(path) }))
})

function answerAt(path: string): object {
  const said = { texts: ['ok'] }
  if (path.includes('/messages')) return messageAnswer(said)
  return path.includes(':generateContent') ? geminiAnswer(said) : chatAnswer('ok')
}

type Parts = Record<string | number, unknown>
type Path = readonly (string | number)[]
const pieces = ['a', ' ', '"', '\\', '\n', '/', '<', '{', '`', ',', 'é', '世', '😀', '%41', 'data:', '```', '--', 'a.']

const isParts = (value: unknown): value is Parts => typeof value === 'object' && value !== null

const pathsIn = (value: unknown, path: Path = []): Path[] =>
  isParts(value) ? Object.keys(value).flatMap((key) => [[...path, key], ...pathsIn(value[key], [...path, key])]) : []

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((at, key) => (isParts(at) ? at[key] : undefined), value)

/** The characters of a value as JSON, approximately; stops above `left`. */
function lengthOf(value: unknown, left = MAX_CHARACTERS): number {
  if (!isParts(value)) return typeof value === 'string' ? value.length + 2 : 4
  let length = 2
  for (const key in value) {
    length += key.length + 3 + lengthOf(value[key], left - length)
    if (length > left) break
  }
  return length
}

/** A copy whose texts end in a number, except those that select a kind of part. */
function numbered(value: unknown, number: number): unknown {
  if (typeof value === 'string') return `${value}${number}`
  if (Array.isArray(value)) return value.map((item) => numbered(item, number))
  if (!isParts(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, /^(type|role|mode)$/.test(key) ? item : numbered(item, number)]),
  )
}

/** Multiplies the part at a path: an item of a list, the members of an object or the length of a text. */
function multiply(body: unknown, path: Path, pick: <T>(of: readonly T[]) => T): void {
  const key = path.at(-1) ?? ''
  const parent = valueAt(body, path.slice(0, -1))
  const value = valueAt(body, path)
  if (!isParts(parent) || value === undefined || lengthOf(value) * COUNT > MAX_CHARACTERS * 4) return
  const many = <T>(one: (index: number) => T): T[] => Array.from({ length: COUNT }, (_, index) => one(index))
  const choices = [
    ...(Array.isArray(parent)
      ? [() => parent.push(...many(() => value)), () => parent.push(...many((n) => numbered(value, n)))]
      : []),
    ...(Array.isArray(value) ? [() => value.push(...many((n) => `s${n}`)), () => value.push(...many(() => ({})))] : []),
    ...(isParts(value) && !Array.isArray(value)
      ? [1, {}, Object.values(value)[0]].map(
          (item) => () => Object.assign(value, Object.fromEntries(many((n) => [`n${n}`, item]))),
        )
      : []),
    ...(typeof value === 'string'
      ? [(text: string) => text, (text: string) => value + text, (text: string) => text + value].map((write) => () => {
          parent[key] = write(pick(pieces).repeat(4 * COUNT))
        })
      : []),
  ]
  if (choices.length > 0) pick(choices)()
}

const addressOf = (format: Format, model: string): string =>
  ({
    openai: '/v1/chat/completions',
    responses: '/v1/responses',
    anthropic: '/v1/messages',
    gemini: `/v1beta/models/${model}:generateContent`,
  })[format]

it('no request with multiplied parts takes longer than in proportion to its length', async () => {
  const random = randomFrom(SEED)
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T
  const goldens = Object.values(requestGoldens).flat()
  const models = [usualModels.openai, usualModels.anthropic, usualModels.gemini]
  const slow: unknown[] = []
  let sent = 0
  let answered = 0
  while (sent < REQUESTS) {
    const { feature, forms } = pick(goldens)
    const format = pick(formats)
    const form = forms[format]
    if (!form) continue
    const model = pick(models)
    const body = { ...(format === 'gemini' ? {} : { model }), ...structuredClone(form) }
    const paths = [pick(pathsIn(form)), pick(pathsIn(form))]
    for (const path of paths) multiply(body, path, pick)
    if (lengthOf(body) > MAX_CHARACTERS) continue
    const text = JSON.stringify(body)
    const reading = Math.max(readingMs(text), 1)
    const longest = watchTurns()
    const { status } = await mallory.calls(addressOf(format, model), text)
    const turn = longest()
    sent += 1
    if (status === 200) answered += 1
    if (status === 500 || (turn > MIN_MS && turn / reading > MAX_READINGS))
      slow.push({ feature, format, model, paths: paths.map((path) => path.join('.')), status, turn, reading })
  }
  expect(answered).toBeGreaterThan(REQUESTS / 3)
  expect(slow, `seed ${SEED}`).toEqual([])
}, 600_000)
