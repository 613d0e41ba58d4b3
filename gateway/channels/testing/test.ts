import type { RunItem } from '../../../shared/api/channel-runs.ts'
import type { VerdictCode } from '../../../shared/api/verdict.ts'
import { channelStatus } from '../../../shared/enums.ts'
import { formatMessage, type Locale } from '../../../shared/messages/format.ts'
import { GatewayError, refuse } from '../../base/errors.ts'
import type { Logger } from '../../base/log/logger.ts'
import type { Settings } from '../../settings/settings.ts'
import { channelStore } from '../../store/channels/channels.ts'
import type { ChannelEvent } from '../health/event-text.ts'
import type { ChannelHealth } from '../health/health.ts'
import type { UpstreamFailure } from '../health/upstream-failure.ts'
import type { ActiveChannel } from '../registry/active-channel.ts'
import type { ChannelRegistry } from '../registry/channel-registry.ts'
import { findChannel } from '../registry/write-channels.ts'
import type { ProbeOutcome } from './run-probe.ts'
import { inTurns, type Runs } from './runs.ts'
import { isTestable, type TestCallDeps, type TestInitiator, testCall, testedKeyOf, testedModel } from './test-call.ts'
import { plainRequest } from './test-request.ts'

export type { TestInitiator } from './test-call.ts'

type TestResult = Readonly<{ ok: boolean; code: VerdictCode; message: string; seconds: number }>

/** Tests channels with a short call (docs/reference/channels.md#tests). Tests are not charged. */
export interface ChannelTest {
  /** Tests one channel with `model`, or its test model, or its first testable model. */
  one(id: number, model: string, tester: TestInitiator): Promise<TestResult>
  /**
   * Starts a test of all channels that can be tested, except those disabled by hand; throws if one is running.
   * `isScheduled`: not started by a user.
   */
  all(tester: TestInitiator, isScheduled?: boolean): void
  /**
   * Passive recovery: tests the channels, and single keys of other channels, that the system disabled and still may
   * disable, and re-enables those that pass. Does nothing if the options forbid it, or while all channels are being
   * tested. Ends early once `signal` aborts. Returns how many there were to test.
   */
  recover(tester: TestInitiator, signal?: AbortSignal): Promise<number>
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

const MAX_CONCURRENT = 4
const MAX_MESSAGE_LENGTH = 500

export function createChannelTest(deps: TestDeps): ChannelTest {
  const { db, registry, runs, settings, notify = () => {} } = deps
  const testable = async (...statuses: number[]) =>
    (await channelStore(db).byStatus(statuses)).flatMap(({ id }) => {
      const channel = registry.channel(id)
      return channel && isTestable(channel) ? [channel] : []
    })
  return {
    async one(id, model, tester) {
      const { ok, code, message, seconds } = await run(deps, await findChannel(deps, id), model, tester)
      return { ok, code, message, seconds }
    },
    all(tester, isScheduled = false) {
      runs.begin('test', {
        width: MAX_CONCURRENT,
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
      const schedule = { width: MAX_CONCURRENT, between: async () => {}, isOver: () => signal?.aborted ?? false }
      await inTurns(off, schedule, async (channel) => {
        if (isOff(channel)) await testAndEvaluate(deps, channel.id, tester)
      })
      const keys = keysOff(await testable(channelStatus.enabled))
      await inTurns(keys, schedule, (key) => recoverKey(deps, key, tester))
      return off.length + keys.length
    },
    idle: () => runs.idle('test'),
  }
}

/** The result of a test; `failure` is the upstream's error, `isBroken` means that the network failed. */
type Finding = TestResult & Readonly<{ failure?: UpstreamFailure; isBroken: boolean }>

async function run(deps: TestDeps, channel: ActiveChannel, requested: string, tester: TestInitiator): Promise<Finding> {
  const { model, upstream, kind } = testedModel(channel, requested)
  if (kind === 'none') throw refuse('invalid', 'channel.model_untestable', { model })
  const outcome = await testCall(
    deps,
    channel,
    { model, probeCall: { ...plainRequest(kind, upstream), requestedModel: model } },
    tester,
  )
  const { failure, fault } = outcome
  const isBroken = fault !== undefined && !isLate(fault)
  const seconds = Math.round(outcome.ms) / 1000
  const rawMessage = messageOf(outcome, tester.locale)
  const message = [channel.key || '\0', ...channel.secrets].reduce(
    (redacted, secret) => redacted.replaceAll(secret, '***'),
    rawMessage,
  )
  const shown = message.slice(0, MAX_MESSAGE_LENGTH)
  const { code } = outcome.verdict
  return { ok: outcome.code === 'ok', code, message: shown, seconds, isBroken, ...(failure ? { failure } : {}) }
}

/**
 * Describes the failure: the upstream's own message, which administrators may see; the message of our own error; or a
 * generic one for network failures.
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
 * Tests one channel of many, in its current state: disables it on a fatal error or if too slow, re-enables one the
 * system disabled if it passes. Returns undefined if it was deleted or disabled by hand meanwhile.
 */
async function testAndEvaluate(deps: TestDeps, id: number, tester: TestInitiator): Promise<RunItem | undefined> {
  const channel = deps.registry.channel(id)
  if (!channel || channel.status === channelStatus.disabled) return undefined
  const base = { channel_id: channel.id, name: channel.name, balance: null }
  try {
    const finding = await run(deps, channel, '', tester)
    const { ok, message, seconds } = finding
    return { ...base, ok, message, seconds, switched: await switched(deps, channel, finding) }
  } catch (error) {
    const isRefusal = error instanceof GatewayError
    if (!isRefusal) deps.log.error('channel test failed', { channelId: channel.id, error })
    const message = isRefusal
      ? formatMessage(tester.locale, error.key, error.params)
      : formatMessage(tester.locale, 'channel.test_broke')
    return { ...base, ok: false, message, seconds: 0, switched: '' }
  }
}

/** Keys the system disabled, in enabled channels that allow keys to be disabled. */
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
    if (failure && (await health.report(testedKeyOf(channel), failure)) && isOffNow(deps, channel)) return 'off'
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
