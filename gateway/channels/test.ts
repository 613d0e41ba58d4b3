import { channelTypeById } from '../../shared/channel-types.ts'
import { channelStatus, logType } from '../../shared/enums.ts'
import { formatMessage, type Locale } from '../../shared/messages/format.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import { GatewayError, refuse } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import type { Settings } from '../settings/settings.ts'
import { channelStore } from '../store/channels.ts'
import type { Db } from '../store/database.ts'
import type { NewLog } from '../store/schema.ts'
import type { ActiveChannel } from './active-channel.ts'
import { findChannel } from './find.ts'
import type { ChannelHealth, ChannelNews } from './health.ts'
import { mappedModel } from './model-name.ts'
import type { Probe, ProbeAnswer } from './probe.ts'
import type { Roster } from './roster.ts'
import { isTestable, testRequest } from './test-request.ts'
import { failureIn, type UpstreamFailure } from './upstream-failure.ts'
import { inParallel } from './workers.ts'

/** Whoever asked for a test: the log row is theirs, the message is in their language. */
export type Tester = Readonly<{ id: number; username: string; group: string; ip: string; locale: Locale }>
export type TestResult = Readonly<{ ok: boolean; message: string; seconds: number }>

/** Asks channels a short question (spec/console.md §4.4.8, spec/relay.md §8.5). Nobody is charged. */
export interface ChannelTest {
  /** Tests one channel with `model`, or its test model, or the first of its models that can be tested. */
  one(id: number, model: string, tester: Tester): Promise<TestResult>
  /** Starts a test of all channels but those disabled by hand; refuses while one is running. */
  all(tester: Tester): void
  /** Resolves when no test of all channels is running. */
  idle(): Promise<void>
}

export type TestDeps = Readonly<{
  db: Db
  roster: Roster
  probe: Probe
  health: ChannelHealth
  settings: Pick<Settings, 'get'>
  clock: Clock
  log: Logger
  /** Queues a log row. */
  note: (row: NewLog) => void
  notify?: (news: ChannelNews) => void
}>

const AT_ONCE = 4
const FALLBACK_MODEL = 'gpt-4o-mini'

/** What a test found; `failure` is what the upstream said when it refused. */
type Finding = TestResult & Readonly<{ failure?: UpstreamFailure }>

/** The verbs; at most one test of all channels runs at a time, four channels at once. */
export function createChannelTest(deps: TestDeps): ChannelTest {
  const { db, roster, log, notify = () => {} } = deps
  let running: Promise<void> | undefined

  const testAll = async (tester: Tester) => {
    try {
      const rows = await channelStore(db).byStatus([channelStatus.enabled, channelStatus.autoDisabled])
      await inParallel(rows, AT_ONCE, async ({ id }) => {
        const channel = roster.channel(id)
        if (channel) await testAndJudge(deps, channel, tester)
      })
      notify({ kind: 'tested' })
    } catch (error) {
      log.error('test of all channels failed', { error })
    } finally {
      running = undefined
    }
  }
  return {
    async one(id, model, tester) {
      const channel = await findChannel(deps, id)
      const { ok, message, seconds } = await run(deps, channel, model, tester)
      return { ok, message, seconds }
    },
    all(tester) {
      if (running) throw refuse('invalid', 'channel.test_running')
      running = testAll(tester)
    },
    idle: async () => running,
  }
}

/** One test, whatever comes of it: time and moment are stored even when no answer came. */
async function run(deps: TestDeps, channel: ActiveChannel, asked: string, tester: Tester): Promise<Finding> {
  const { probe, clock } = deps
  const model = asked || channel.testModel || channel.models.find(isTestable) || FALLBACK_MODEL
  const request = testRequest(channel.type, mappedModel(model, channel.modelMapping))
  if (!request || channelTypeById(channel.type)?.testable === false) throw refuse('invalid', 'channel.test_unsupported')
  const started = clock.monotonic()
  let finding: Finding
  try {
    const answer = await probe(channel, request)
    finding = found(answer, tester.locale)
    if (finding.ok) deps.note(logRow(deps, channel, model, answer, tester))
  } catch (error) {
    if (error instanceof GatewayError && error.key === 'channel.test_unsupported') throw error
    const seconds = secondsOf(clock.monotonic() - started)
    finding = { ok: false, message: messageOf(error, tester.locale), seconds }
  }
  const response_time = Math.max(1, Math.round(finding.seconds * 1000))
  await channelStore(deps.db).update([channel.id], { response_time, test_time: unixSeconds(clock) })
  return finding
}

/** Says what the upstream said: administrators see its own words. */
function found(answer: ProbeAnswer, locale: Locale): Finding {
  const seconds = secondsOf(answer.ms)
  const failure = failureIn(answer)
  if (failure) return { ok: false, message: `status code ${failure.status}: ${failure.message}`, seconds, failure }
  if (answer.json === undefined)
    return { ok: false, message: formatMessage(locale, 'relay.upstreamUnreadable'), seconds }
  return { ok: true, message: '', seconds }
}

const secondsOf = (ms: number) => Math.round(ms) / 1000

/** Refusals speak to people; anything else went wrong on the network and only says so. */
function messageOf(error: unknown, locale: Locale): string {
  if (error instanceof GatewayError) return formatMessage(locale, error.key, error.params)
  const late = error instanceof Error && error.name.includes('Timeout')
  return formatMessage(locale, late ? 'relay.upstreamTimeout' : 'relay.upstreamFailed')
}

/** One channel of a test of all: the fatal and the slow are disabled, the system's disabled that answer are enabled. */
async function testAndJudge(deps: TestDeps, channel: ActiveChannel, tester: Tester): Promise<void> {
  const { settings, health, log } = deps
  try {
    const { ok, seconds, failure } = await run(deps, channel, '', tester)
    const limit = settings.get('ChannelDisableThreshold')
    const slow = settings.get('AutomaticDisableChannelEnabled') && limit > 0 && seconds > limit
    if (channel.status === channelStatus.enabled) {
      if (failure && (await health.report(channel, failure))) return
      if (slow && channel.autoBan)
        await health.disable(channel.id, formatMessage('en', 'channel.slow', { t: seconds.toFixed(2), max: limit }))
    } else if (ok && !slow && settings.get('AutomaticEnableChannelEnabled')) await health.enable(channel.id)
  } catch (error) {
    if (!(error instanceof GatewayError)) log.error('channel test failed', { channelId: channel.id, error })
  }
}

/** A consumption row that costs nothing, under whoever asked (spec/console.md §4.4.8). */
function logRow(
  { clock }: TestDeps,
  channel: ActiveChannel,
  model: string,
  answer: ProbeAnswer,
  tester: Tester,
): NewLog {
  return {
    user_id: tester.id,
    username: tester.username,
    created_at: unixSeconds(clock),
    type: logType.consume,
    token_name: 'model test',
    model_name: model,
    quota: 0,
    prompt_tokens: answer.usage?.promptTokens ?? 0,
    completion_tokens: answer.usage?.completionTokens ?? 0,
    use_time: Math.round(answer.ms / 1000),
    channel_id: channel.id,
    group: tester.group,
    ip: tester.ip,
  }
}
