import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import type { ConnectClient } from '../../shared/connect/client.ts'
import { connectClient, connectClients } from '../../shared/connect/clients.ts'
import type { ConnectApplied, ConnectPlan, ConnectProblem, DiffLine } from '../../shared/connect/desk.ts'
import { formatMessage } from '../../shared/messages/format.ts'
import { systemClock } from '../base/clock.ts'
import { parsed } from '../base/json.ts'
import { type Environment, flagNames, readConfig } from '../config.ts'
import { CannotStart, EXIT } from '../store/database.ts'
import { type ConnectDesk, createConnectDesk } from './desk.ts'
import { thisMachine } from './place.ts'
import { CONNECT_USAGE } from './usage.ts'

export type ConnectShell = Readonly<{
  /** The words behind `connect`. */
  argv: readonly string[]
  environment: Environment
  say: (line: string) => void
}>

/**
 * Sets a program of this person up for a running gateway, or undoes it (docs/reference/connect.md#command). The gateway may run:
 * its database is not touched. Throws `CannotStart`: exit code 1 for wrong words, 4 where a file is left as it is or the request
 * that tries it fails.
 */
export async function connectFromShell({ argv, environment, say }: ConnectShell): Promise<void> {
  const { words, given } = wordsIn(argv)
  const [id, ...more] = words
  const config = readConfig(environment, given.flags)
  const address = given.url === undefined ? ownAddress(config, environment, given.flags) : addressIn(given.url)
  const desk = createConnectDesk({
    address,
    dataFolder: config.DATA_DIR,
    clock: systemClock,
    machine: thisMachine(environment),
  })
  const tell: Tell = (json, lines) => {
    if (given.json) return say(JSON.stringify(json))
    for (const line of lines) say(line)
  }
  if (given.list) return list(desk, tell)
  const client = id === undefined ? undefined : connectClient(id)
  if (!client || more.length > 0) throw wrong(`usage: ${CONNECT_USAGE}; programs: ${names()}`)
  if (given.undo) return undo(desk, client, tell)
  const key = given.key ?? environment.SWITCHYARD_KEY
  if (!client.files) return tell({ client: client.id, link: client.link, address }, byHand(client, address))
  if (!key) throw wrong('name one of your API tokens: --key=sk-… or SWITCHYARD_KEY')
  if (!given.model) throw wrong('name the model: --model=<model>')
  await setUp({ desk, client, key, model: given.model, isDry: given.isDry, tell })
}

type Tell = (json: object, lines: readonly string[]) => void
type Given = Readonly<{
  key?: string | undefined
  model?: string | undefined
  url?: string | undefined
  isDry: boolean
  undo: boolean
  list: boolean
  json: boolean
  /** Those of the gateway. */
  flags: readonly string[]
}>

function wordsIn(argv: readonly string[]): Readonly<{ words: readonly string[]; given: Given }> {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean', default: false } as const
  const ofGateway = Object.fromEntries(flagNames.map((name) => [name, text]))
  const own = { key: text, model: text, url: text, 'dry-run': flag, undo: flag, list: flag, json: flag }
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      options: { ...ofGateway, ...own },
      allowPositionals: true,
    })
    const held: Readonly<Record<string, string | boolean | undefined>> = values
    const flags = flagNames.flatMap((name) => (typeof held[name] === 'string' ? [`--${name}=${held[name]}`] : []))
    const { key, model, url, 'dry-run': isDry = false, undo = false, list = false, json = false } = values
    return { words: positionals, given: { key, model, url, isDry, undo, list, json, flags } }
  } catch (cause) {
    throw new CannotStart(EXIT.badConfig, cause instanceof Error ? cause.message : 'invalid flags', cause)
  }
}

type Wanted = Readonly<{
  desk: ConnectDesk
  client: ConnectClient
  key: string
  model: string
  isDry: boolean
  tell: Tell
}>

async function setUp({ desk, client, key, model, isDry, tell }: Wanted): Promise<void> {
  const ask = { client: client.id, key, model }
  const plan = good(desk.plan(ask))
  if (isDry) return tell({ client: client.id, ...plan }, shown(plan))
  const applied: ConnectApplied = good(await desk.apply({ ...ask, seal: plan.seal }))
  if (!applied.done) throw failed('a file was changed at the same moment; nothing was written, try again')
  const { trial } = applied
  const variables = Object.keys(client.variables?.({ address: '', key, model }) ?? {})
  tell({ client: client.id, files: plan.files.map(({ path }) => path), trial }, [
    ...shown(plan),
    ...variables.map((name) => `${client.name} reads the key from ${name} in its environment, which is yours to set.`),
    ...(trial.ok ? [`It works: the test request was answered in ${trial.ms} ms.`] : []),
    `To undo: switchyard connect ${client.id} --undo`,
  ])
  if (!trial.ok) throw failed(`${client.name} is set up, but the test request failed: ${trial.message}`)
}

function undo(desk: ConnectDesk, client: ConnectClient, tell: Tell): void {
  const status = desk.status()[client.id]
  if (!status || 'problem' in status || !status.isSetUp) throw wrong(`${client.name} was not set up from here`)
  const undone = good(desk.undo({ client: client.id }))
  const how = undone.exact
    ? 'Every file is as it was before.'
    : 'The files were changed since; only our settings were taken out.'
  const kept = undone.kept > 0 ? [`Settings that somebody else has changed and that stay: ${undone.kept}`] : []
  tell({ client: client.id, ...undone }, [how, ...kept])
}

function list(desk: ConnectDesk, tell: Tell): void {
  const statuses = desk.status()
  const rows = connectClients.map(({ id, name, link }) => ({ id, name, link, status: statuses[id] ?? null }))
  tell(
    rows,
    rows.map(({ id, name, link, status }) => {
      if (!status) return `${id.padEnd(14)} ${name}: ${ways[link]}`
      if ('problem' in status) return `${id.padEnd(14)} ${name}: ${saidOf(status)}`
      const state = status.isChanged ? 'set up, changed since' : 'set up'
      return `${id.padEnd(14)} ${name}: ${status.isSetUp ? state : 'not set up'} (${status.paths.join(', ')})`
    }),
  )
}

const ways = {
  file: 'by its files',
  link: 'by a link, on the page "Connect a client"',
  screen: 'in its own settings',
  environment: 'by variables of its environment',
} as const

const byHand = ({ name, link }: ConnectClient, address: string): string[] => [
  `${name} is connected ${ways[link]}; no file is written.`,
  `Base URL: ${address}/v1 (for Anthropic and Gemini: ${address})`,
  'Key: one of your API tokens',
]

const shown = ({ files }: ConnectPlan): string[] =>
  files.length === 0
    ? ['Everything is set up already.']
    : files.flatMap(({ path, isNew, lines }) => [`${isNew ? 'New file' : 'File'} ${path}`, ...lines.map(drawn)])

const drawn = ({ kind, text }: DiffLine): string => `${{ kept: ' ', taken: '-', added: '+' }[kind]} ${text}`

const names = () => connectClients.map(({ id }) => id).join(', ')
const wrong = (text: string) => new CannotStart(EXIT.badConfig, text)
const failed = (text: string) => new CannotStart(EXIT.badData, text)
const saidOf = ({ problem, path, detail }: ConnectProblem) => formatMessage('en', `setUp.${problem}`, { path, detail })

function good<T extends object>(answer: T | ConnectProblem): T {
  if ('problem' in answer) throw failed(saidOf(answer))
  return answer
}

const chosen = z.object({ port: z.number().int().optional() }).catch({})

/**
 * Where the gateway of the data folder listens: as flags and environment say, else at the port that was chosen on a desktop
 * whose folder it is. One that listens everywhere is asked over loopback.
 */
function ownAddress(
  { HOST, PORT, DATA_DIR }: ReturnType<typeof readConfig>,
  environment: Environment,
  flags: readonly string[],
): string {
  const isGiven = Boolean(environment.PORT?.trim()) || flags.some((flag) => flag.startsWith('--port='))
  const port = isGiven ? PORT : (portOfDesktop(DATA_DIR) ?? PORT)
  const host = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[HOST] ?? (HOST.includes(':') ? `[${HOST}]` : HOST)
  return `http://${host}:${port}`
}

function portOfDesktop(folder: string): number | undefined {
  try {
    return chosen.parse(parsed(readFileSync(join(folder, 'desktop.json'), 'utf8'))).port
  } catch {
    // No desktop has this folder.
    return undefined
  }
}

function addressIn(url: string): string {
  const { protocol, origin, pathname, search } = URL.parse(url) ?? {}
  const isPlain = pathname !== undefined && /^\/(?:v1\/?)?$/.test(pathname) && search === ''
  if (!['http:', 'https:'].includes(protocol ?? '') || !isPlain || origin === undefined)
    throw wrong('--url must be the address of a gateway, such as http://127.0.0.1:6411')
  return origin
}
