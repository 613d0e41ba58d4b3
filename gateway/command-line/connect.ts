import { type ConnectClient, namedBySessions } from '../../shared/connect/client.ts'
import { connectClient, connectClients } from '../../shared/connect/clients.ts'
import type { ConnectApplied, ConnectPlan, ConnectProblem, DiffLine } from '../../shared/connect/connect-protocol.ts'
import { formatMessage } from '../../shared/messages/format.ts'
import { systemClock } from '../base/clock.ts'
import { nearUrl } from '../base/network/own-urls.ts'
import { noSystemProxy } from '../base/network/system-proxy.ts'
import type { Config } from '../config.ts'
import { thisMachine } from '../connect/config-location.ts'
import { type ConnectService, createConnectService } from '../connect/connect-service.ts'
import { usageOf } from './arguments.ts'
import { type Command, type CommandResult, ENDS, failure, wrongUse } from './command.ts'

/**
 * Configures a program of this user for a running gateway, or undoes it (docs/reference/connect.md#command). Uses no
 * database.
 */
export const connect: Command = {
  args: '<program>',
  about: 'sets a program such as Claude Code up for this gateway, or undoes it',
  flags: {
    '--key': { value: 'key', about: 'one of your API tokens; or SWITCHYARD_KEY' },
    '--model': { value: 'model', about: 'the model that the program uses' },
    '--url': { value: 'address', about: 'where the gateway is, when it is not the one of the data folder' },
    '--dry-run': { about: 'shows what would be written, and writes nothing' },
    '--undo': { about: 'undoes what was written' },
    '--update': { about: 'leads the programs that are set up to where the gateway is now, all or the one named' },
    '--list': { about: 'lists the programs, and which of them are set up' },
  },
  async run({ config, environment, print, goOut }, { args: [id, ...more], switches, values }) {
    const url = values['--url']
    const namedAddress = url === undefined ? undefined : addressIn(url)
    const isListing = switches.includes('--list')
    // The list shows the state for the local gateway, even if another address was given.
    const address = (isListing ? undefined : namedAddress) ?? ownAddress(config)
    const machine = thisMachine(environment)
    const isSettingUp = !isListing && !switches.includes('--undo')
    // This machine's own gateway is called without a proxy or certificates.
    const systemProxy = url === undefined || !isSettingUp ? noSystemProxy : goOut()
    const service = createConnectService({
      address,
      dataFolder: config.DATA_DIR,
      clock: systemClock,
      machine,
      systemProxy,
      isGiven: namedAddress !== undefined,
    })
    const output: Output = (result, lines) => {
      for (const line of lines) print(line)
      return { result }
    }
    if (isListing) return list(service, output)
    const client = id === undefined ? undefined : connectClient(id)
    const isAll = id === undefined && more.length === 0
    if (switches.includes('--update') && (client || isAll))
      return update({ service, only: client?.id, isDry: switches.includes('--dry-run'), output })
    if (!client || more.length > 0) throw wrongUse(`usage: ${usageOf('connect', connect)}; programs: ${names()}`)
    const isDry = switches.includes('--dry-run')
    if (switches.includes('--undo')) return undo({ service, client, isDry, print, output })
    const key = values['--key'] || environment.SWITCHYARD_KEY
    if (!client.files) return output({ client: client.id, link: client.link, address }, byHand(client, address))
    if (!key) throw wrongUse('name one of your API tokens: --key=sk-… or SWITCHYARD_KEY')
    const model = values['--model']
    if (!model) throw wrongUse('name the model: --model=<model>')
    return setUp({ service, client, key, model, isDry, print, output })
  },
}

type Output = (result: object, lines: readonly string[]) => CommandResult

type ClientCall = Readonly<{
  service: ConnectService
  client: ConnectClient
  isDry: boolean
  /** Prints a line immediately, before anything is written. */
  print: (line: string) => void
  output: Output
}>
type Wanted = ClientCall & Readonly<{ key: string; model: string }>

async function setUp({ service, client, key, model, isDry, print, output }: Wanted): Promise<CommandResult> {
  const target = { client: client.id, key, model }
  const plan = good(service.plan(target))
  if (plan.files.length > 0) printSessions(client, print)
  if (isDry) return output({ client: client.id, ...plan }, shown(plan))
  const applied: ConnectApplied = good(await service.apply({ ...target, seal: plan.seal }))
  if (!applied.done) throw failure('a file was changed at the same moment; nothing was written, try again')
  const { trial } = applied
  const variables = Object.keys(client.variables?.({ address: '', key, model }) ?? {})
  const lines = output({ client: client.id, files: plan.files.map(({ path }) => path), trial }, [
    ...shown(plan),
    ...variables.map((name) => `${client.name} reads the key from ${name} in its environment, which is yours to set.`),
    trial.ok
      ? `It works: the test request was answered in ${trial.ms} ms.`
      : `${client.name} is set up, but the test request failed: ${trial.message}`,
    `To undo: switchyard connect ${client.id} --undo`,
  ])
  return { ...lines, exitCode: trial.ok ? 0 : ENDS.failed }
}

type Updating = Readonly<{ service: ConnectService; only: string | undefined; isDry: boolean; output: Output }>

/** Moves programs from an outdated address to the current one: changes only our own values, and shows each. */
function update({ service, only, isDry, output }: Updating): CommandResult {
  const statuses = Object.entries(service.status())
  const moved = statuses.filter(
    ([id, status]) => (only === undefined || id === only) && !('problem' in status) && status.isMoved,
  )
  const done = moved.map(([client]) => {
    const plan = good(service.planMove({ client }))
    if (isDry || plan.files.length === 0) return { client, plan, isWritten: false }
    const written = good(service.move({ client, seal: plan.seal }))
    if (!written.done) throw failure('a file was changed at the same moment; nothing was written, try again')
    return { client, plan, isWritten: true }
  })
  const lines = done.flatMap(({ client, plan, isWritten }) => [
    ...(plan.files.length > 0
      ? shown(plan)
      : [`${client}: its address was changed by someone else; nothing was written.`]),
    ...(isWritten ? [`To undo: switchyard connect ${client} --undo`] : []),
  ])
  return output(
    done.map(({ client, plan: { files }, isWritten }) => ({ client, files, written: isWritten })),
    lines.length > 0 ? lines : ['No program that is set up points at an old address.'],
  )
}

function undo({ service, client, isDry, print, output }: ClientCall): CommandResult {
  const status = service.status()[client.id]
  if (!status || 'problem' in status || !status.isSetUp) throw wrongUse(`${client.name} was not set up from here`)
  printSessions(client, print)
  if (isDry) return output({ client: client.id, files: status.paths }, [`To be undone: ${status.paths.join(', ')}`])
  const undone = good(service.undo({ client: client.id }))
  const all = undone.leavesProvider ? 'Everything else is as it was before.' : 'Every file is as it was before.'
  const how = undone.exact ? all : 'The files were changed since; only our settings were taken out.'
  const unchangedLine = undone.kept > 0 ? [`Settings that someone else has changed, which stay: ${undone.kept}`] : []
  const stays = undone.leavesProvider ? [formatMessage('en', 'setUp.providerStays')] : []
  return output({ client: client.id, ...undone }, [...stays, how, ...unchangedLine])
}

/** Explains what happens to the sessions of a program that name their provider (docs/reference/connect.md#sessions). */
function printSessions(client: ConnectClient, print: ClientCall['print']): void {
  if (namedBySessions(client).length > 0) print(formatMessage('en', 'setUp.sessions', { program: client.name }))
}

function list(service: ConnectService, output: Output): CommandResult {
  const statuses = service.status()
  const rows = connectClients.map(({ id, name, link, tried = null }) => ({
    id,
    name,
    link,
    tried,
    status: statuses[id] ?? null,
  }))
  return output(
    rows,
    rows.map(({ id, name, link, tried, status }) => {
      if (!status) return `${id.padEnd(14)} ${name}: ${actions[link]}`
      if ('problem' in status) return `${id.padEnd(14)} ${name}: ${messageOf(status)}`
      const changed = status.isChanged ? 'set up, changed since' : 'set up'
      const state = status.isMoved ? `${changed}, at the old address ${status.address}` : changed
      const release = tried === null ? 'not tried yet' : `tried with ${tried}`
      return `${id.padEnd(14)} ${name}: ${status.isSetUp ? state : 'not set up'} (${status.paths.join(', ')}), ${release}`
    }),
  )
}

const actions = {
  file: 'by its files',
  link: 'by a link, on the page "Connect a client"',
  screen: 'in its own settings',
  environment: 'by variables of its environment',
} as const

const byHand = ({ name, link }: ConnectClient, address: string): string[] => [
  `${name} is connected ${actions[link]}; no file is written.`,
  `Base URL: ${address}/v1 (for Anthropic and Gemini: ${address})`,
  'Key: one of your API tokens',
]

const shown = ({ files }: ConnectPlan): string[] =>
  files.length === 0
    ? ['Everything is set up already.']
    : files.flatMap(({ path, isNew, lines }) => [`${isNew ? 'New file' : 'File'} ${path}`, ...lines.map(drawn)])

const drawn = ({ kind, text }: DiffLine): string => `${{ kept: ' ', taken: '-', added: '+' }[kind]} ${text}`

const names = () => connectClients.map(({ id }) => id).join(', ')
const messageOf = ({ problem, path, detail }: ConnectProblem) =>
  formatMessage('en', `setUp.${problem}`, { path, detail })

function good<T extends object>(answer: T | ConnectProblem): T {
  if ('problem' in answer) throw failure(messageOf(answer))
  return answer
}

/** The address of the data folder's gateway; loopback if it listens everywhere. */
const ownAddress = ({ HOST, PORT }: Config): string => nearUrl(HOST, PORT)

function addressIn(url: string): string {
  const { protocol, origin, pathname, search } = URL.parse(url) ?? {}
  const isPlain = pathname !== undefined && /^\/(?:v1\/?)?$/.test(pathname) && search === ''
  if (!['http:', 'https:'].includes(protocol ?? '') || !isPlain || origin === undefined)
    throw wrongUse('--url must be the address of a gateway, such as http://127.0.0.1:6411')
  return origin
}
