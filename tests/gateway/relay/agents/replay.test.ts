import { beforeAll, describe, expect, it } from 'vitest'
import { readChat } from '../../../support/dialects/chat.ts'
import type { ReadAnswer } from '../../../support/dialects/dialect.ts'
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
 * What agents really send, relayed to every family of vendors: each request must be one that the vendor's published schema
 * has, and each answer one that the agent's dialect has. A fault is listed in known-holes.ts or is new.
 */
const readers: Record<Fixture['dialect'], ReadAnswer> = {
  openai: readChat,
  responses: readResponse,
  anthropic: readMessage,
  gemini: readGemini,
}
const fixtures = readFixtures()
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

describe.each(familyNames)('what agents send to %s (docs/clients.md)', (family) => {
  it.each(fixtures)('is taken from $agent, and the answers are understood', async (fixture) => {
    const faults: string[] = []
    for (const request of fixture.requests)
      for (const said of sayings(fixture, request)) faults.push(...(await replay({ family, fixture, request, said })))
    const known = knownHoles.filter((hole) => hole.agent === fixture.agent && hole.family === family)
    const unknown = faults.filter((fault) => !known.some(({ fault: pattern }) => pattern.test(fault)))
    for (const hole of known) if (faults.some((fault) => hole.fault.test(fault))) met.add(nameOf(hole))
    expect([...new Set(unknown)]).toEqual([])
  })
})

describe('the known holes', () => {
  it.each(knownHoles)('$agent to $family: $fault still is one; where it is none the line goes', (hole) => {
    expect([...met]).toContain(nameOf(hole))
  })
})

const nameOf = ({ agent, family, fault }: (typeof knownHoles)[number]): string => `${agent} ${family} ${fault}`

type Replayed = Readonly<{ family: FamilyName; fixture: Fixture; request: FixtureRequest; said: Said }>

/** A text, then a call of a tool that the agent has, then a text again. */
function sayings(fixture: Fixture, request: FixtureRequest): readonly Said[] {
  const tool = toolOf(bodyOf(fixture, request))
  const text = { texts: ['All is ', 'well.'] }
  return tool
    ? [text, { ...text, calls: [{ id: 'call_9', name: tool, arguments: { path: 'notes.txt' } }] }, text]
    : [text]
}

/** The first function that a request offers under a name of its own. */
function toolOf(body: Readonly<Record<string, unknown>>): string | undefined {
  const tools = (body.tools ?? []) as readonly Readonly<Record<string, never>>[] // as the agent wrote them
  const names = tools.flatMap(
    (tool: {
      name?: string
      function?: { name: string }
      functionDeclarations?: { name: string }[]
      type?: string
    }) => {
      if (tool.functionDeclarations) return tool.functionDeclarations.map(({ name }) => name)
      if (tool.function) return [tool.function.name]
      return tool.name && (tool.type === undefined || tool.type === 'function') ? [tool.name] : []
    },
  )
  return names[0]
}

/** Relays a request and says what is wrong: at the vendor, with the answer, or lost without a word. */
async function replay({ family, fixture, request, said }: Replayed): Promise<readonly string[]> {
  const { model, vendorOf } = families[family]
  const found: string[] = []
  world.upstream.reset()
  world.upstream.answers((asked: Recorded): Script => {
    const vendor = vendorOf(asked)
    found.push(...vendor.faults(asked))
    const calls = said.calls?.map((call) => ({ ...call, name: vendor.tools(asked)[0] ?? call.name }))
    return vendor.says(asked, { ...said, ...(calls ? { calls } : {}) })
  })
  const asking = { key: keys.get(family) ?? '', headers: { ...request.headers } }
  const answer = await callRelay(world.url + pathOf(request, model), bodyOf(fixture, request, model), asking)
  if (answer.status !== 200) return [...found, `${request.name}: ${answer.status} ${answer.text.slice(0, 200)}`]
  const last = world.upstream.last()
  const dropped = answer.headers.get('x-switchyard-dropped') ?? ''
  const lost = (vendorOf(last).leavesAside?.(last) ?? []).filter((name) => !dropped.includes(name))
  const understood = readers[fixture.dialect](answer)
  return [
    ...found,
    ...lost.map((name) => `lost without a word: ${name}`),
    ...understood.faults.map((fault) => `answer: ${fault}`),
    ...(understood.text === 'All is well.' ? [] : [`answer: the text is ${understood.text}`]),
    ...(understood.calls.length === (said.calls?.length ?? 0) ? [] : [`answer: ${understood.calls.length} calls`]),
  ]
}
