import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Fixture, FixtureRequest } from '../gateway/relay/agents/fixture.ts'
import { asksForSummary } from './asks-for-summary.ts'
import type { Outcome } from './play.ts'
import { agents } from './programs.ts'
import type { Exchange } from './tap.ts'

/** Headers that affect how a request is read; all others are specific to the agent or secret. */
const KEPT = ['anthropic-beta', 'anthropic-version', 'user-agent']

/** Longer texts are cut to their start and end. */
const MAX_LENGTH = 240

/** Members recorded uncut because they are data, not prose. */
const WHOLE =
  /^(data|url|image_url|arguments|definition|encrypted_content|signature|thoughtSignature|pattern|id|call_id|user_id)$/

/** The folder of a fixture, its version, and a label in place of the agent's name. */
export type Recording = Readonly<{ folder: string; version: string; label?: string }>

/**
 * Writes the requests of an agent's plays as a fixture, each with a name, and common members once. Keys, homes, ids and
 * the machine's name are replaced, long texts cut.
 */
export function record(outcomes: readonly Outcome[], { folder, version, label }: Recording): void {
  const [first] = outcomes
  if (!first) return
  const asked = outcomes.flatMap(({ scenario, exchanges }) =>
    exchanges
      .filter(({ method, path, status }) => method === 'POST' && status < 400 && !/count_?tokens/i.test(path))
      .filter((one) => scenario !== 'compaction' || isAboutSummary(one))
      .filter((one) => scenario !== 'images' || one.body.includes('image/png'))
      .filter((_, index, all) => scenario !== 'turns' || index === all.length - 1)
      .map((one, index) => requestOf(one, `${scenario} ${index + 1}`)),
  )
  const { common, requests } = factored(asked)
  const { label: ownLabel, dialect } = agents[first.agent]
  const agent = label ?? ownLabel
  const fixture: Fixture = { agent, version, dialect, common, requests }
  const name = agent.toLowerCase().replaceAll(' ', '-')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}.json`), `${scrubbed(JSON.stringify(fixture, undefined, 1))}\n`)
}

const isAboutSummary = ({ body }: Exchange): boolean =>
  asksForSummary(JSON.parse(body)) || body.includes('lighthouse-8862')

function requestOf({ path, headers, body }: Exchange, name: string): FixtureRequest {
  const kept = KEPT.flatMap((key) => (headers[key] === undefined ? [] : [[key, String(headers[key])]]))
  return { name, path, headers: Object.fromEntries(kept), body: cut(JSON.parse(body)) as FixtureRequest['body'] } // `cut` returns an object for an object
}

/** Moves members that are the same in most requests to the common part. */
function factored(asked: readonly FixtureRequest[]): Pick<Fixture, 'common' | 'requests'> {
  const times = new Map<string, number>()
  const sizeable = asked.flatMap(({ body }) =>
    Object.entries(body).map(([key, value]) => `${key} ${JSON.stringify(value)}`),
  )
  for (const member of sizeable) times.set(member, (times.get(member) ?? 0) + 1)
  const common: Record<string, unknown> = {}
  for (const [member, count] of [...times].toSorted(([, one], [, other]) => other - one)) {
    const [key = ''] = member.split(' ', 1)
    if (count > 1 && !(key in common)) common[key] = JSON.parse(member.slice(key.length + 1))
  }
  const requests = asked.map((one) => {
    const own = Object.entries(one.body).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(common[key]))
    const without = Object.keys(common).filter((key) => !(key in one.body))
    return { ...one, body: Object.fromEntries(own), ...(without.length > 0 ? { without } : {}) }
  })
  return { common, requests }
}

/** The value with long texts cut, each followed by the number of characters left out. */
function cut(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return WHOLE.test(key) ? value : shortened(value)
  if (Array.isArray(value)) return value.map((one) => cut(one))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cut(member, name)]))
}

function shortened(text: string): string {
  if (text.length <= MAX_LENGTH || text.startsWith('data:')) return text
  return `${text.slice(0, 160)} [${text.length - 200} characters left out] ${text.slice(-40)}`
}

/** Removes traces of this machine: its folders, ids, keys and system version. */
function scrubbed(text: string): string {
  const ids = new Map<string, string>()
  return text
    .replaceAll(/\/tmp\/agent-\w+/g, '/home/person')
    .replaceAll(/agent-[A-Za-z0-9]{6}(?=-project)/g, 'home-person')
    .replaceAll(/sk-[A-Za-z0-9]{20,}/g, 'sk-a-key')
    .replaceAll(/(?<![0-9a-f])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f])/g, (id) => {
      if (!ids.has(id)) ids.set(id, `00000000-0000-4000-8000-${String(ids.size + 1).padStart(12, '0')}`)
      return ids.get(id) ?? ''
    })
    .replaceAll(/\b[0-9a-f]{64}\b/g, 'd'.repeat(64))
    .replaceAll(/Linux \d+\.\d+\.\d+[\w.-]*/g, 'Linux 6.12.0')
}
