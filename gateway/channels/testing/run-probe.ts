import type { Verdict, VerdictCode } from '../../../shared/api/verdict.ts'
import { formatMessage, type Locale } from '../../../shared/messages/format.ts'
import { GatewayError } from '../../base/errors.ts'
import { isObject, objectIn, objectsIn, parsed } from '../../base/json/json.ts'
import { failureIn, type UpstreamFailure } from '../health/upstream-failure.ts'
import type { ActiveChannel } from '../registry/active-channel.ts'
import type { Probe, ProbeAnswer, ProbeCall, ProbeEndpoint } from './probe.ts'
import { streamRequest, toolRequest } from './test-request.ts'
import { codeOf, codeOfFault, codeOfText, verdictOf } from './verdict.ts'

/**
 * The outcome of one call: a valid response (`ok`), an invalid one, an error, or no response, with the `fault` that was
 * thrown. `ms` is the time it took.
 */
export type ProbeOutcome = Readonly<{
  ms: number
  code?: VerdictCode
  answer?: ProbeAnswer
  failure?: UpstreamFailure
  fault?: unknown
}>

/** Makes one call; throws only `channel.test_unsupported`, for a protocol the relay does not support. */
export async function runProbe(probe: Probe, channel: ActiveChannel, probeCall: ProbeCall): Promise<ProbeOutcome> {
  const started = performance.now()
  try {
    const answer = await probe(channel, probeCall)
    const { ms } = answer
    const failure = failureOf(answer)
    if (!failure) return { ms, answer, code: isRight(probeCall, answer) ? 'ok' : wrongCode(probeCall, answer) }
    return isCutShort(failure) ? { ms, answer, code: 'ok' } : { ms, failure, code: codeOf(failure) }
  } catch (fault) {
    const ms = performance.now() - started
    if (!(fault instanceof GatewayError)) return { ms, fault }
    if (fault.key === 'channel.test_unsupported') throw fault
    return fault.code === 'convert_request_failed' && 'tools' in probeCall.body
      ? { ms, code: 'no_tool_call' }
      : { ms, fault }
  }
}

/** The verdict to show for an outcome; throws if the address must not be called at all. */
export function verdictFrom(outcome: ProbeOutcome, { key, secrets }: ActiveChannel, locale: Locale): Verdict {
  const { ms, code, failure, fault } = outcome
  if (fault instanceof GatewayError && fault.code !== undefined)
    return verdictOf('failed', ms, formatMessage(locale, fault.key, fault.params))
  if (code === undefined) return verdictOf(codeOfFault(fault), ms)
  return verdictOf(code, ms, failure?.message ?? '', [...secretsIn(key), ...secrets])
}

/** The verdicts on a model; null if its kind has no such call. */
type Verdicts = Readonly<{ plain: Verdict; stream: Verdict | null; tool: Verdict | null }>

/**
 * Repeats the plain call as a stream and with a tool, concurrently. If the plain call timed out, found no server or had
 * its key rejected, both calls are skipped and get its verdict.
 */
export async function furtherVerdicts(
  probe: Probe,
  channel: ActiveChannel,
  { probeCall, plain, locale }: Readonly<{ probeCall: ProbeCall; plain: Verdict; locale: Locale }>,
): Promise<Verdicts> {
  const isHopeless = ['timeout', 'unreachable', 'bad_key'].includes(plain.code)
  const runFurther = async (probeAsk: ProbeCall | undefined): Promise<Verdict | null> => {
    if (!probeAsk) return null
    if (isHopeless) return { ...plain, ms: 0, message: '' }
    return verdictFrom(await runProbe(probe, channel, probeAsk), channel, locale)
  }
  const [stream, tool] = await Promise.all([runFurther(streamRequest(probeCall)), runFurther(toolRequest(probeCall))])
  return { plain, stream, tool }
}

/** The parts of a composite key are separated by bars; short parts are regions and the like. */
function secretsIn(key: string): string[] {
  return [key, ...key.split('|').filter((part) => part.length >= SECRET_LENGTH)]
}

const SECRET_LENGTH = 12
/** OpenAI's message if a reasoning model used up a test's few tokens for reasoning: the model works. */
const CUT_SHORT = /could not finish the message because max_tokens/i

const isCutShort = ({ message }: UpstreamFailure): boolean => CUT_SHORT.test(message)

function failureOf({ status, json, text }: ProbeAnswer): UpstreamFailure | undefined {
  if (json !== undefined) return failureIn({ status, text, json })
  const error = eventsIn(text)
    .map(errorIn)
    .find((error) => error !== undefined)
  return failureIn({ status, text, json: error === undefined ? undefined : { error } })
}

function errorIn(event: Json): unknown {
  if (event.type === 'error' && event.error === undefined) return event
  return event.type === 'response.failed' ? objectIn(event.response).error : (event.error ?? undefined)
}

/** A vendor that always streams is accepted, as in the relay. */
function isRight({ endpoint, isStream, body }: ProbeCall, { json, text }: ProbeAnswer): boolean {
  const isCalled = (answer: Json) => !('tools' in body) || holdsCall(answer)
  if (isObject(json)) return !isStream && isAnswer[endpoint](json) && isCalled(json)
  const events = eventsIn(text)
  const isWhole = endpoint === 'responses' ? events.some(endsResponse) : isWholeChat(events, text)
  return isWhole && (!('tools' in body) || events.some(isCalled))
}

/** Distinguishes a valid response without the requested tool call from an unreadable one. */
function wrongCode({ endpoint, body }: ProbeCall, { json, text }: ProbeAnswer): VerdictCode {
  return 'tools' in body && isObject(json) && isAnswer[endpoint](json) ? 'no_tool_call' : codeOfText(text)
}

type Json = Readonly<Record<string, unknown>>

const holdsList = (value: unknown): boolean => Array.isArray(value) && value.length > 0

const isAnswer: Readonly<Record<ProbeEndpoint, (json: Json) => boolean>> = {
  chat: ({ choices }) => Array.isArray(choices),
  completions: ({ choices }) => Array.isArray(choices),
  responses: ({ output }) => Array.isArray(output),
  embeddings: ({ data }) => holdsList(data),
  rerank: ({ results, data }) => holdsList(results) || holdsList(data),
  images: ({ data, images }) => holdsList(data) || holdsList(images),
}

const holdsCall = ({ choices, output, item }: Json): boolean =>
  [...objectsIn(output), objectIn(item)].some(({ type }) => type === 'function_call') ||
  objectsIn(choices).some(({ message, delta }) => holdsList({ ...objectIn(message), ...objectIn(delta) }.tool_calls))

const endsResponse = ({ type }: Json): boolean => type === 'response.completed' || type === 'response.incomplete'

const isWholeChat = (events: readonly Json[], text: string): boolean =>
  events.some(({ choices }) => Array.isArray(choices)) &&
  (/^data: ?\[DONE\]/m.test(text) || events.some(({ choices }) => objectsIn(choices).some(isFinished)))

const isFinished = ({ finish_reason }: Json): boolean => typeof finish_reason === 'string' && finish_reason !== ''

const eventsIn = (text: string): Json[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => parsed(line.slice('data:'.length)))
    .filter(isObject)
