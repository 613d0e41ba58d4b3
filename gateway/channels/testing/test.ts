import type { RunItem } from '../../../shared/api/channel-runs.ts'
import { channelStatus } from '../../../shared/enums.ts'
import { formatMessage, type Locale } from '../../../shared/messages/format.ts'
import { GatewayError, refuse } from '../../base/errors.ts'
import type { Logger } from '../../base/logger.ts'
import type { Settings } from '../../settings/settings.ts'
import { channelStore } from '../../store/channels.ts'
import type { ChannelEvent } from '../health/channel-events.ts'
import type { ChannelHealth } from '../health/health.ts'
import type { UpstreamFailure } from '../health/upstream-failure.ts'
import type { ActiveChannel } from '../registry/active-channel.ts'
import type { ChannelRegistry } from '../registry/channel-registry.ts'
import { findChannel } from '../registry/write-channels.ts'
import type { ProbeOutcome } from './run-probe.ts'
import { inTurns, type Runs } from './runs.ts'
import { askedKey, isTestable, type TestCallDeps, type TestInitiator, testCall, testedModel } from './test-call.ts'
import { plainRequest } from './test-request.ts'

export type { TestInitiator } from './test-call.ts'

type TestResult = Readonly<{ ok: boolean; message: string; seconds: number }>

/** Asks channels a short question (docs/reference/channels.md#tests). Nobody is charged. */
export interface ChannelTest {
  /** Tests one channel with `model`, or its test model, or the first of its models that can be tested. */
  one(id: number, model: string, tester: TestInitiator): Promise<TestResult>
  /** Starts a test of all channels but those disabled by hand; refuses while one is running. `isScheduled`: nobody has asked for it. */
  all(tester: TestInitiator, isScheduled?: boolean): void
  /**
   * Passive recovery: tests the channels, and the single keys of others, that the system has switched off, and switches on
   * those that pass. Does nothing where options forbid it, or while all channels are being tested. Ends early once `signal` is given. Answers how
   * many it has tested.
   */
  recover(tester: TestInitiator, signal?: AbortSignal): Promise<number>
  /** Resolves when no test of all channels is running. */
  idle(): Promise<void>
}

type TestDeps = TestCallDeps &
  Readonly<{
    registry: ChannelRegistry
    runs: Runs
    health: ChannelHealth
    settings: Pick<Settings, 'get'>
    log: Logger
    notify?: (event: ChannelEvent) => void
  }>

const AT_ONCE = 4
const MAX_MESSAGE_LENGTH = 500

/** The verbs; of several channels four are asked at once. */
export function createChannelTest(deps: TestDeps): ChannelTest {
  const { db, registry, runs, settings, notify = () => {} } = deps
  const testable = async (...statuses: number[]) =>
    (await channelStore(db).byStatus(statuses)).flatMap(({ id }) => {
      const channel = registry.channel(id)
      return channel && isTestable(channel) ? [channel] : []
    })
  return {
    async one(id, model, tester) {
      const { ok, message, seconds } = await run(deps, await findChannel(deps, id), model, tester)
      return { ok, message, seconds }
    },
    all(tester, isScheduled = false) {
      runs.begin('test', {
        width: AT_ONCE,
        targets: () => testable(channelStatus.enabled, channelStatus.autoDisabled),
        work: ({ id }) => testAndEvaluate(deps, id, tester),
        done: (run) => notify({ kind: 'tested', run, isScheduled }),
      })
    },
    async recover(tester, signal) {
      if (!settings.get('AutomaticEnableChannelEnabled') || runs.isRunning('test')) return 0
      const isOff = ({ id, autoBan }: ActiveChannel) =>
        autoBan && registry.channel(id)?.status === channelStatus.autoDisabled
      const off = (await testable(channelStatus.autoDisabled)).filter(isOff)
      const turns = { width: AT_ONCE, between: async () => {}, isOver: () => signal?.aborted ?? false }
      await inTurns(off, turns, async (channel) => {
        if (isOff(channel)) await testAndEvaluate(deps, channel.id, tester)
      })
      const keys = keysOff(await testable(channelStatus.enabled))
      await inTurns(keys, turns, (key) => recoverKey(deps, key, tester))
      return off.length + keys.length
    },
    idle: () => runs.idle('test'),
  }
}

/** What a test found; `failure` is what the upstream said when it refused, `isBroken` that the network failed. */
type Finding = TestResult & Readonly<{ failure?: UpstreamFailure; isBroken: boolean }>

async function run(deps: TestDeps, channel: ActiveChannel, named: string, tester: TestInitiator): Promise<Finding> {
  const { model, upstream, kind } = testedModel(channel, named)
  if (kind === 'none') throw refuse('invalid', 'channel.model_untestable', { model })
  const outcome = await testCall(
    deps,
    channel,
    { model, ask: { ...plainRequest(kind, upstream), requestedModel: model } },
    tester,
  )
  const { failure, fault } = outcome
  const isBroken = fault !== undefined && !isLate(fault)
  const seconds = Math.round(outcome.ms) / 1000
  const said = messageOf(outcome, tester.locale)
  const message = [channel.key || '\0', ...channel.secrets].reduce(
    (redacted, secret) => redacted.replaceAll(secret, '***'),
    said,
  )
  const shown = message.slice(0, MAX_MESSAGE_LENGTH)
  return { ok: outcome.code === 'ok', message: shown, seconds, isBroken, ...(failure ? { failure } : {}) }
}

/**
 * What went wrong: the upstream's own words, for administrators may see them; refusals of our own speak to people, and
 * anything else went wrong on the network and only says so.
 */
function messageOf({ code, failure, fault }: ProbeOutcome, locale: Locale): string {
  if (code === 'ok') return ''
  if (failure) return `status code ${failure.status}: ${failure.message}`
  if (fault === undefined) return formatMessage(locale, 'relay.upstreamUnreadable')
  if (fault instanceof GatewayError) return formatMessage(locale, fault.key, fault.params)
  return formatMessage(locale, isLate(fault) ? 'relay.upstreamTimeout' : 'relay.upstreamFailed')
}

const isLate = (fault: unknown): boolean =>
  fault instanceof GatewayError ? fault.kind === 'timeout' : fault instanceof Error && fault.name.includes('Timeout')

/**
 * One channel of many, as it is by now: the fatal and the slow are disabled, the system's disabled that answer are
 * enabled. Undefined for one that has been deleted or disabled by hand in the meantime.
 */
async function testAndEvaluate(deps: TestDeps, id: number, tester: TestInitiator): Promise<RunItem | undefined> {
  const channel = deps.registry.channel(id)
  if (!channel || channel.status === channelStatus.disabled) return undefined
  const about = { channel_id: channel.id, name: channel.name, balance: null }
  try {
    const finding = await run(deps, channel, '', tester)
    const { ok, message, seconds } = finding
    return { ...about, ok, message, seconds, switched: await switched(deps, channel, finding) }
  } catch (error) {
    const isRefusal = error instanceof GatewayError
    if (!isRefusal) deps.log.error('channel test failed', { channelId: channel.id, error })
    const message = isRefusal
      ? formatMessage(tester.locale, error.key, error.params)
      : formatMessage(tester.locale, 'channel.test_broke')
    return { ...about, ok: false, message, seconds: 0, switched: '' }
  }
}

/** Keys the system has switched off, of channels that are on and leave that to the system. */
const keysOff = (channels: readonly ActiveChannel[]): ActiveChannel[] =>
  channels.flatMap(({ autoBan, pool }) =>
    pool.filter(({ status }) => autoBan && status === channelStatus.autoDisabled).map(({ channel }) => channel),
  )

async function recoverKey(deps: TestDeps, key: ActiveChannel, tester: TestInitiator): Promise<void> {
  try {
    if ((await run(deps, key, '', tester)).ok) await deps.health.enableKey(key)
  } catch (error) {
    if (!(error instanceof GatewayError)) deps.log.error('key test failed', { channelId: key.id, error })
  }
}

async function switched(deps: TestDeps, channel: ActiveChannel, finding: Finding): Promise<RunItem['switched']> {
  const { settings, health } = deps
  const { ok, seconds, failure, isBroken } = finding
  const limit = settings.get('ChannelDisableThreshold')
  const isSlow = settings.get('AutomaticDisableChannelEnabled') && limit > 0 && seconds > limit && !isBroken
  if (channel.status === channelStatus.enabled) {
    if (failure && (await health.report(askedKey(channel), failure)) && isOffNow(deps, channel)) return 'off'
    if (!isSlow || !channel.autoBan) return ''
    const reason = formatMessage('en', 'channel.slow', { t: seconds.toFixed(2), max: limit })
    return (await health.disable(channel.id, reason)) ? 'off' : ''
  }
  const mayReturn = channel.status === channelStatus.autoDisabled && ok && !isSlow
  if (!mayReturn || !settings.get('AutomaticEnableChannelEnabled')) return ''
  return (await health.enable(channel.id)) ? 'on' : ''
}

const isOffNow = ({ registry }: TestDeps, { id }: ActiveChannel): boolean =>
  registry.channel(id)?.status === channelStatus.autoDisabled
