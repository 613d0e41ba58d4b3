import type { TestKind } from '../../../shared/api/channel-runs.ts'
import type { Verdict } from '../../../shared/api/verdict.ts'
import { channelTypeById } from '../../../shared/channel-types.ts'
import { logType } from '../../../shared/enums.ts'
import { formatMessage, type Locale } from '../../../shared/messages/format.ts'
import type { AuditLog } from '../../audit/audit-log.ts'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import { GatewayError, refuse } from '../../base/errors.ts'
import { channelStore } from '../../store/channels/channels.ts'
import type { NewLog } from '../../store/schema/schema.ts'
import type { Db } from '../../store/sqlite/database.ts'
import type { Cooldowns } from '../health/cooldowns.ts'
import type { ActiveChannel } from '../registry/active-channel.ts'
import { mappedModel } from '../registry/model-name.ts'
import type { Probe, ProbeAnswer, ProbeCall } from './probe.ts'
import { type ProbeOutcome, runProbe, verdictFrom } from './run-probe.ts'
import { plainRequest, testKindOf } from './test-request.ts'
import { verdictOf } from './verdict.ts'

/** The user who started a test: the log row is theirs, the message is in their language. */
export type TestInitiator = Readonly<{ id: number; username: string; group: string; ip: string; locale: Locale }>

export type TestCallDeps = Readonly<{
  db: Db
  probe: Probe
  clock: Clock
  auditLog: AuditLog
  cooldowns?: Pick<Cooldowns, 'served'>
}>

/** A model of a channel to test. `upstream` is the vendor's name for it. */
type Tested = Readonly<{ model: string; upstream: string; kind: TestKind }>

const FALLBACK_MODEL = 'gpt-4o-mini'

/**
 * Returns the model to test: the one given, else the channel's test model, else the first testable model of the
 * channel, preferring ones that do not generate images. Throws `channel.test_unsupported` for types without a test
 * request.
 */
export function testedModel(channel: ActiveChannel, requested: string): Tested {
  if (!isTestableType(channel)) throw refuse('invalid', 'channel.test_unsupported')
  const model = requested || channel.testModel || firstToTest(channel) || FALLBACK_MODEL
  const upstream = mappedModel(model, channel.modelMapping)
  return { model, upstream, kind: testKindOf(channel.type, upstream) }
}

export const isTestable = (channel: ActiveChannel): boolean =>
  isTestableType(channel) && testKindOf(channel.type, channel.testModel || firstToTest(channel) || '') !== 'none'

const TEST_TOKEN = 'model test'

const isTestableType = ({ type }: ActiveChannel): boolean => channelTypeById(type)?.testable !== false

function firstToTest({ type, models }: ActiveChannel): string | undefined {
  const known = models.map((model) => ({ model, kind: testKindOf(type, model) })).filter(({ kind }) => kind !== 'none')
  return (known.find(({ kind }) => kind !== 'images') ?? known[0])?.model ?? models[0]
}

/**
 * Makes the plain call and stores its duration, time and result. A valid response also writes a consumption row with no
 * cost, for the user who started the test (docs/reference/channels.md#tests), and ends the cooldown of the key and
 * model.
 */
export async function testCall(
  deps: TestCallDeps,
  channel: ActiveChannel,
  { model, probeCall }: Readonly<{ model: string; probeCall: ProbeCall }>,
  tester: TestInitiator,
): Promise<ProbeOutcome & Readonly<{ verdict: Verdict }>> {
  const outcome = await runProbe(deps.probe, channel, probeCall)
  if (outcome.code === 'ok' && outcome.answer) {
    deps.auditLog.record(logRow(deps, channel, model, outcome.answer, tester))
    deps.cooldowns?.served(testedKeyOf(channel), model)
  }
  const verdict = writtenVerdict(outcome, channel, tester.locale)
  await channelStore(deps.db).update([channel.id], {
    response_time: Math.max(1, Math.round(outcome.ms)),
    test_time: unixSeconds(deps.clock),
    test_code: verdict.code,
    test_status: outcome.failure?.status ?? 0,
    test_message: verdict.message,
  })
  return { ...outcome, verdict }
}

/**
 * Returns whether the key of a channel works: its test call has a valid response. The result is used for a minute, so
 * that failing requests cannot cause many calls. Always false for models without a cheap test.
 */
export function createKeyCheck({ probe, clock }: Pick<TestCallDeps, 'probe' | 'clock'>) {
  const known = new WeakMap<ActiveChannel, Readonly<{ untilMs: number; result: Promise<boolean> }>>()
  return (channel: ActiveChannel): Promise<boolean> => {
    const last = known.get(channel)
    if (last && last.untilMs > clock.monotonic()) return last.result
    const result = hasWorkingKey(probe, channel).catch(() => false)
    known.set(channel, { untilMs: clock.monotonic() + CHECKED_MS, result })
    return result
  }
}

const CHECKED_MS = 60_000
const CHECK_TIMEOUT_MS = 10_000

async function hasWorkingKey(probe: Probe, channel: ActiveChannel): Promise<boolean> {
  if (!isTestableType(channel)) return false
  const { model, upstream, kind } = testedModel(channel, '')
  if (kind === 'none' || kind === 'images') return false
  const probeCall = { ...plainRequest(kind, upstream), requestedModel: model, timeoutMs: CHECK_TIMEOUT_MS }
  const { code } = await runProbe(probe, channel, probeCall)
  return code === 'ok'
}

/** The verdict stored with the channel; unlike `verdictFrom`, it also covers an address that must not be called. */
function writtenVerdict(outcome: ProbeOutcome, channel: ActiveChannel, locale: Locale): Verdict {
  const { fault, ms } = outcome
  if (fault instanceof GatewayError && fault.kind === 'invalid' && fault.code === undefined)
    return verdictOf('failed', ms, formatMessage(locale, fault.key, fault.params))
  return verdictFrom(outcome, channel, locale)
}

/** The channel with the key that calls are made with, if it has several. */
export const testedKeyOf = (channel: ActiveChannel): ActiveChannel =>
  channel.pool.find((one) => one.channel.key === channel.key)?.channel ?? channel

function logRow(
  { clock }: TestCallDeps,
  channel: ActiveChannel,
  model: string,
  answer: ProbeAnswer,
  tester: TestInitiator,
): NewLog {
  return {
    user_id: tester.id,
    username: tester.username,
    created_at: unixSeconds(clock),
    type: logType.consume,
    token_name: TEST_TOKEN,
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
