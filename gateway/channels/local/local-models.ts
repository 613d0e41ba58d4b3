import pLimit from 'p-limit'
import type { LocalChannel, LocalFinding, LocalTarget } from '../../../shared/api/local-models.ts'
import { channelStatus } from '../../../shared/enums.ts'
import { type LocalProgramName, localProgramNames, localPrograms, lookedFor } from '../../../shared/local-programs.ts'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import { refuse } from '../../base/errors.ts'
import { type JobReport, type Jobs, nothingDue } from '../../base/jobs.ts'
import { isHomeHost } from '../../base/network/home-address.ts'
import type { Db } from '../../store/sqlite/database.ts'
import type { ChannelEditor } from '../admin/editor.ts'
import { type ActiveChannel, objectOf } from '../registry/active-channel.ts'
import type { ChannelRegistry } from '../registry/channel-registry.ts'
import { wildcardOf } from '../registry/model-name.ts'
import { localAddress, targetOf } from './local-address.ts'
import { changesIn, createTakeOver, type TakeOver } from './model-changes.ts'
import { createProgramQuery, type ProgramQuery } from './program-query.ts'
import { type LocalPorts, type Recognised, recognise } from './recognise.ts'

/** Overrides the ports of programs, and the timeout in milliseconds, in tests. */
export type LocalModelOptions = Readonly<{
  ports?: Partial<Record<LocalProgramName, number>>
  timeoutMs?: number
}>

/** Model servers on this machine or in its network (docs/reference/local-models.md). */
export interface LocalModels {
  /** Probes these addresses, or the default ports of the five programs if there are none; only on a user's request. */
  probe(targets: readonly LocalTarget[]): Promise<LocalFinding[]>
  /** Probes again and adds a channel with the models found; throws if there is a channel already, or no model. */
  add(target: LocalTarget, takes: boolean): Promise<Readonly<{ channel_id: number; models: string[] }>>
  list(): LocalChannel[]
  /** Queries a channel's program and updates the channel's models. */
  update(channelId: number): Promise<LocalChannel>
  /** Sets whether a channel's models follow those of its program automatically. */
  follow(channelId: number, takes: boolean): Promise<LocalChannel>
  stop(): Promise<void>
}

type LocalModelsDeps = Readonly<{
  db: Db
  registry: ChannelRegistry
  editor: ChannelEditor
  clock: Clock
  jobs: Jobs
  local?: LocalModelOptions | undefined
}>

const TIMEOUT_MS = 1000
const EVERY_MS = 5 * 60_000
const MAX_CONCURRENT = 8
/** The placeholder for a missing key, since every channel has one. */
const NO_KEY = 'none'

type Seen = Readonly<{ at: number; is: Recognised; address: string }>

/** Starts a job that regularly queries the programs that were added, and no others. */
export function createLocalModels(deps: LocalModelsDeps): LocalModels {
  const { registry, editor, clock, local } = deps
  const { query: queryProgram, close } = createProgramQuery(local?.timeoutMs ?? TIMEOUT_MS)
  const ports = { ...ownPorts, ...local?.ports }
  const takeOver = createTakeOver(deps)
  const seen = new Map<number, Seen>()
  const adding = pLimit(1)

  const query = async (channel: ActiveChannel): Promise<Recognised> => {
    const is = await probeProgram(queryProgram, channel.baseUrl, channel.key, ports)
    seen.set(channel.id, { at: unixSeconds(clock), is, address: channel.baseUrl })
    return is
  }
  const probeOne = async ({ address, key }: LocalTarget): Promise<LocalFinding> => {
    const base = localAddress(address)
    const channel = channelAt(registry, base)
    const isOwn = channel !== undefined && isLocal(channel)
    const is = isOwn && key === '' ? await query(channel) : await probeProgram(queryProgram, base, key, ports)
    return findingOf(registry, base, is, channel)
  }
  const add: LocalModels['add'] = async ({ address, key }, takes) => {
    const base = localAddress(address)
    const existing = channelAt(registry, base)
    if (existing) throw refuse('invalid', 'local.exists', { name: existing.name })
    const is = await probeProgram(queryProgram, base, key, ports)
    if (is.state !== 'found') throw refuse('upstream', `local.refused.${is.state}`)
    const models = is.models.map(({ name }) => name)
    if (models.length === 0) throw refuse('invalid', 'local.no_models')
    const [id = 0] = await editor.create({
      ...channelFor(is.program, base, takes),
      key: key || NO_KEY,
      models: `${models}`,
    })
    seen.set(id, { at: unixSeconds(clock), is, address: base })
    return { channel_id: id, models }
  }
  const view = (channel: ActiveChannel) => viewOf(channel, seen.get(channel.id))
  const forget = () => {
    for (const id of seen.keys()) if (!registry.channel(id)) seen.delete(id)
  }
  const job = beginFollowing(deps, { look: query, takeOver, forget })
  return {
    probe: (targets) => {
      const limit = pLimit(MAX_CONCURRENT)
      return Promise.all(
        (targets.length > 0 ? targets : defaultTargets(ports)).map((target) => limit(() => probeOne(target))),
      )
    },
    // Serialized, so that two clicks create one channel.
    add: (target, takes) => adding(() => add(target, takes)),
    list: () => localChannels(registry).map(view),
    async update(channelId) {
      const channel = localChannel(registry, channelId)
      const is = await query(channel)
      if (is.state !== 'found') throw refuse('upstream', `local.refused.${is.state}`)
      if (is.models.length === 0) throw refuse('invalid', 'local.no_models')
      await takeOver(channel, is, false)
      return view(localChannel(registry, channelId))
    },
    async follow(channelId, takes) {
      const channel = localChannel(registry, channelId)
      const setting = { ...objectOf(channel.shown.setting), local_changes: takes ? 'take' : 'tell' }
      await editor.update({ id: channelId, setting: JSON.stringify(setting) })
      return view(localChannel(registry, channelId))
    },
    async stop() {
      await job.stop()
      await close()
    },
  }
}

type Following = Readonly<{
  look: (channel: ActiveChannel) => Promise<Recognised>
  takeOver: TakeOver
  forget: () => void
}>

/**
 * Queries the programs of channels every few minutes, except for channels disabled by hand. Updates the models of the
 * channels that follow those of their program.
 */
const beginFollowing = ({ jobs, registry }: LocalModelsDeps, { look: query, takeOver, forget }: Following) =>
  jobs.begin({
    name: 'local-models',
    everyMs: EVERY_MS,
    async work({ signal }) {
      forget()
      const channels = localChannels(registry).filter(({ status }) => status !== channelStatus.disabled)
      if (channels.length === 0) return nothingDue
      const limit = pLimit(MAX_CONCURRENT)
      const follow = async (channel: ActiveChannel): Promise<number> => {
        if (signal.aborted) return 0
        const is = await query(channel)
        return is.state === 'found' && channel.setting.local_changes === 'take' ? takeOver(channel, is, true) : 0
      }
      const taken = await Promise.all(channels.map((channel) => limit(() => follow(channel))))
      return reportOf(channels.length, taken)
    },
  })

const ownPorts: LocalPorts = Object.freeze({
  ollama: localPrograms.ollama.port,
  'lm-studio': localPrograms['lm-studio'].port,
  'llama-cpp': localPrograms['llama-cpp'].port,
  vllm: localPrograms.vllm.port,
  jan: localPrograms.jan.port,
  openai: 0,
})

const defaultTargets = (ports: LocalPorts): LocalTarget[] =>
  lookedFor.map((name) => ({ address: `127.0.0.1:${ports[name]}`, key: '' }))

/** A channel's address may have been changed to an internet host, which is not queried. */
async function probeProgram(
  queryProgram: ProgramQuery,
  base: string,
  key: string,
  ports: LocalPorts,
): Promise<Recognised> {
  if (!isHomeHost(URL.parse(base)?.hostname ?? '')) return { state: 'offline' }
  return recognise(queryProgram, base, key === NO_KEY ? '' : key, ports)
}

const isLocal = ({ setting }: ActiveChannel): boolean => setting.local_program !== ''
const localChannels = (registry: ChannelRegistry): ActiveChannel[] => [...registry.all()].filter(isLocal)

function localChannel(registry: ChannelRegistry, id: number): ActiveChannel {
  const channel = registry.channel(id)
  if (!channel || !isLocal(channel)) throw refuse('missing', 'channel.not_found')
  return channel
}

/** Finds the channel with this address, under whatever name. */
function channelAt(registry: ChannelRegistry, base: string): ActiveChannel | undefined {
  const target = targetOf(base)
  const existing = [...registry.all()].filter(({ baseUrl }) => targetOf(baseUrl) === target)
  return existing.find(isLocal) ?? existing[0]
}

function channelFor(program: LocalProgramName, base: string, takes: boolean) {
  const { label, type, setting } = localPrograms[program]
  const { hostname, host } = new URL(base)
  const isHere = targetOf(base).startsWith('here:')
  const marks = { free_of_charge: true, local_program: program, local_changes: takes ? 'take' : 'tell' }
  return {
    type,
    name: isHere ? label : `${label} (${hostname === '' ? base : host})`,
    base_url: base,
    group: 'default',
    setting: JSON.stringify({ ...setting, ...marks }),
  }
}

function findingOf(
  registry: ChannelRegistry,
  base: string,
  is: Recognised,
  channel: ActiveChannel | undefined,
): LocalFinding {
  const otherChannels = [...registry.all()].filter(({ id }) => id !== channel?.id)
  const taken = new Set(otherChannels.flatMap(({ models }) => models))
  return {
    address: base,
    state: is.state,
    status: is.state === 'other' ? is.status : 0,
    program: 'program' in is ? (is.program ?? '') : '',
    models:
      is.state === 'found'
        ? is.models.map(({ name, bytes }) => ({
            name,
            bytes,
            is_elsewhere: taken.has(name) || taken.has(wildcardOf(name) ?? name),
          }))
        : [],
    left: is.state === 'found' ? is.left : 0,
    channel_id: channel?.id ?? 0,
    channel_name: channel?.name ?? '',
  }
}

/** State from a previous address of the channel is ignored. */
function viewOf(channel: ActiveChannel, last: Seen | undefined): LocalChannel {
  const current = last?.address === channel.baseUrl ? last : undefined
  const { fresh, missing } = current?.is.state === 'found' ? changesIn(channel, current.is) : { fresh: [], missing: [] }
  return {
    channel_id: channel.id,
    name: channel.name,
    program: localProgramNames.find((name) => name === channel.setting.local_program) ?? '',
    address: channel.baseUrl,
    takes: channel.setting.local_changes === 'take',
    state: current?.is.state ?? '',
    checked_at: current?.at ?? 0,
    models: channel.models.length,
    fresh,
    missing,
  }
}

const reportOf = (channels: number, taken: readonly number[]): JobReport => ({
  key: 'job.local_models',
  params: { n: channels, changed: taken.filter((changes) => changes > 0).length },
})
