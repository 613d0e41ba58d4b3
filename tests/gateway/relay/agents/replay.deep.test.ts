import { beforeAll, describe, expect, it } from 'vitest'
import { fieldName } from '../../../../gateway/relay/formats/field-names.ts'
import { readChat } from '../../../support/dialects/chat.ts'
import type { ReadAnswer, Understood } from '../../../support/dialects/dialect.ts'
import { readGemini } from '../../../support/dialects/gemini.ts'
import { readMessage } from '../../../support/dialects/messages.ts'
import { readResponse } from '../../../support/dialects/responses.ts'
import { stayOnLoopback } from '../../../support/loopback.ts'
import { callRelay } from '../../../support/relay-client.ts'
import type { Said } from '../../../support/said.ts'
import type { Recorded, Script } from '../../../support/upstream.ts'
import { type FamilyName, families, familyNames } from '../../../support/vendors/families.ts'
import { aWorld, type World } from '../../../support/world.ts'
import { bodyOf, type Fixture, type FixtureRequest, pathOf, readFixtures } from './fixture.ts'
import { knownHoles } from './known-holes.ts'

/**
 * Relays agents' real requests to every family of vendors: each request must match the vendor's published schema, and
 * each response the agent's dialect. Every fault must be listed in known-holes.ts.
 */
const readers: Record<Fixture['dialect'], ReadAnswer> = {
  openai: readChat,
  responses: readResponse,
  anthropic: readMessage,
  gemini: readGemini,
}
const fixtures = readFixtures()
/** The known holes, one per agent; the tests collect those that occur in `met`. */
const holes = knownHoles.flatMap(({ agents, ...hole }) =>
  agents.map((agent) => ({ ...hole, agent, name: `${agent} to ${hole.family}, ${hole.fault.source}` })),
)
const met = new Set<string>()
let world: World
const keys = new Map<FamilyName, string>()

stayOnLoopback()

beforeAll(async () => {
  const groups = ['default', ...familyNames]
  world = await aWorld({
    options: {
      SelfUseModeEnabled: true,
      GroupRatio: Object.fromEntries(groups.map((name) => [name, 0])),
      UserUsableGroups: Object.fromEntries(groups.map((name) => [name, name])),
    },
  })
  for (const name of familyNames) {
    const { channel, model } = families[name]
    await world.channel({ ...channel, models: model, group: name })
    keys.set(name, (await world.token(world.admin, { group: name })).key)
  }
})

describe.each(familyNames)('the requests of agents to %s (docs/clients.md)', (family) => {
  it.each(fixtures)('from $agent are accepted, and the answers are understood', async (fixture) => {
    const { agent, requests } = fixture
    const faults: string[] = []
    for (const request of requests)
      for (const said of sayings(fixture, request)) faults.push(...(await replay({ family, fixture, request, said })))
    const own = holes.filter((hole) => hole.agent === agent && hole.family === family)
    for (const { name, fault } of own) if (faults.some((one) => fault.test(one))) met.add(name)
    const unknown = faults.filter((one) => !own.some(({ fault }) => fault.test(one)))
    expect([...new Set(unknown)]).toEqual([])
  })

  it.each(fixtures.filter(hasTwoTurns))('from $agent begin with the same prefix in each turn', async (fixture) => {
    const [first, second] = fixture.requests.filter(({ name }) => name.startsWith('tools'))
    if (!first || !second) return
    const one = await upstreamTurns({ family, fixture, request: first })
    const other = await upstreamTurns({ family, fixture, request: second })
    expect(other.tools).toEqual(one.tools)
    expect(other.turns.slice(0, one.turns.length)).toEqual(one.turns)
  })
})

it('finds every known hole still there: a fixed one must be removed from the list', () => {
  expect(holes.map(({ name }) => name).filter((name) => !met.has(name))).toEqual([])
})

type Replayed = Readonly<{ family: FamilyName; fixture: Fixture; request: FixtureRequest; said: Said }>

const ARGUMENTS = { path: 'notes.txt' }

/** Responses: a text, then a text with a call of one of the agent's tools, then a text again. */
function sayings(fixture: Fixture, request: FixtureRequest): readonly Said[] {
  const [tool] = toolsOf(bodyOf(fixture, request))
  const text = { texts: ['All is ', 'well.'] }
  return tool ? [text, { ...text, calls: [{ id: 'call_9', name: tool, arguments: ARGUMENTS }] }, text] : [text]
}

/** The functions that a request offers, under the agent's names for them. */
function toolsOf(body: Readonly<Record<string, unknown>>): readonly string[] {
  const tools = (body.tools ?? []) as readonly OfferedTool[] // as the agent wrote them
  return tools.flatMap(({ name, type = 'function', function: chat, functionDeclarations: declared, tools: inner }) => {
    if (declared ?? inner) return (declared ?? inner ?? []).map((one) => one.name)
    if (chat) return [chat.name]
    return name && /^(function|custom)$/.test(type) ? [name] : []
  })
}

type OfferedTool = Readonly<{
  name?: string
  type?: string
  function?: Readonly<{ name: string }>
  functionDeclarations?: readonly Readonly<{ name: string }>[]
  tools?: readonly Readonly<{ name: string }>[]
}>

/** Relays a request; returns its faults: in the request at the vendor, in the response, or silent losses. */
async function replay({ family, fixture, request, said }: Replayed): Promise<readonly string[]> {
  const { vendorOf } = families[family]
  const found: string[] = []
  world.upstream.reset()
  world.upstream.answers((asked: Recorded): Script => {
    const vendor = vendorOf(asked)
    found.push(...vendor.faults(asked))
    const calls = said.calls?.map((call) => ({ ...call, name: vendor.tools(asked)[0] ?? call.name }))
    return vendor.says(asked, { ...said, ...(vendor.thinks(asked) ? THOUGHTS : {}), ...(calls ? { calls } : {}) })
  })
  const answer = await ask({ family, fixture, request })
  if (answer.status !== 200) return [...found, `${request.name}: ${answer.status} ${answer.text.slice(0, 200)}`]
  const last = world.upstream.last()
  const dropped = (answer.headers.get('x-switchyard-dropped') ?? '').split(/,\s*/)
  const isTold = (name: string) => dropped.includes(fieldName(name, fixture.dialect))
  const lost = (vendorOf(last).leavesAside?.(last) ?? []).filter((name) => !isTold(name))
  const understood = readers[fixture.dialect](answer)
  const offered = toolsOf(bodyOf(fixture, request))
  const callable = vendorOf(last).tools(last).length
  return [
    ...found,
    ...(callable >= offered.length ? [] : [`tools: ${callable} of ${offered.length} came`]),
    ...lost.map((name) => `lost without a word: ${name}`),
    ...understood.faults.map((fault) => `answer: ${fault}`),
    ...(understood.text === 'All is well.' ? [] : [`answer: the text is ${understood.text}`]),
    ...callFaults(understood.calls, said, offered),
  ]
}

const THOUGHTS = { thoughts: 'All seems well.' }

/** Faults of calls: they must all arrive, with their arguments, under names that the agent offered. */
function callFaults(calls: Understood['calls'], said: Said, offered: readonly string[]): string[] {
  return [
    ...(calls.length === (said.calls?.length ?? 0) ? [] : [`answer: ${calls.length} calls`]),
    ...calls.flatMap(({ name, json }) => [
      ...(offered.includes(name) ? [] : [`answer: ${name} was not offered`]),
      ...(json.replaceAll(' ', '') === JSON.stringify(ARGUMENTS) ? [] : [`answer: the arguments are ${json}`]),
    ]),
  ]
}

/** Sends the agent's request for the family's model. */
function ask({ family, fixture, request }: Omit<Replayed, 'said'>) {
  const { model } = families[family]
  const asking = { key: keys.get(family) ?? '', headers: { ...request.headers } }
  return callRelay(world.url + pathOf(request, model), bodyOf(fixture, request, model), asking)
}

/**
 * Whether the fixture has a request and one with its tool results, and the agent does not change earlier turns between
 * them.
 */
function hasTwoTurns(fixture: Fixture): boolean {
  const [first, second] = fixture.requests.filter(({ name }) => name.startsWith('tools'))
  if (!first || !second) return false
  const [one, other] = [first, second].map((request) => turnsIn(bodyOf(fixture, request)))
  return one !== undefined && JSON.stringify(other?.slice(0, one.length)) === JSON.stringify(one)
}

/** The turns that the vendor receives for a request, without cache marks. */
async function upstreamTurns(asked: Omit<Replayed, 'said'>) {
  const { vendorOf } = families[asked.family]
  world.upstream.reset()
  world.upstream.answers((request: Recorded): Script => vendorOf(request).says(request, { texts: ['All is well.'] }))
  await ask(asked)
  const { json } = world.upstream.last()
  return { tools: json.tools, turns: turnsIn(json) }
}

/** The turns of a request of any dialect. */
function turnsIn(body: Readonly<Record<string, unknown>>): readonly unknown[] {
  const turns = body.messages ?? body.input ?? body.contents
  const unmarked = JSON.stringify(turns, (key, value) => (key === 'cache_control' ? undefined : value))
  return JSON.parse(unmarked)
}
