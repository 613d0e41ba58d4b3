import { sha256 } from '../../../base/ids.ts'
import { isObject, objectIn, textIn } from '../../../base/json/json.ts'
import { tokenCount, type Usage, usageOf } from '../../../billing/usage.ts'
import type { FrameReader, Json, StreamDecoder } from '../../formats/codec.ts'
import { CutLine } from '../../formats/cut-line.ts'
import type { AnswerEvent, FinishReason } from '../../formats/events.ts'
import { ANSWER_ID_READ } from '../../formats/openai/call-id.ts'
import { DONE, eventsOf } from '../../formats/payload.ts'
import { type Called, callsIn } from './tools.ts'

/** Returns the events of a whole response ("Chat, v1"). */
export function decodeAnswer(wire: unknown): readonly AnswerEvent[] {
  if (!isObject(wire)) return []
  const id = textIn(wire.generation_id)
  const text = textIn(wire.text)
  const calls = callEvents(callsIn(wire.tool_calls), id)
  return [
    { type: 'start', id },
    ...(text ? [{ type: 'text' as const, choice: 0, text }] : []),
    ...calls,
    ...endOf(wire, wire, calls.length > 0),
  ]
}

/** Reads a stream of pieces, the last of which has `is_finished` and repeats the whole response. */
export const decodeStream = (): StreamDecoder => new PieceReader()

class PieceReader implements StreamDecoder {
  private id: string | undefined
  private hasStarted = false
  private hasCalled = false

  payload(line: string): readonly AnswerEvent[] {
    return eventsOf(line, (piece) => this.read(piece))
  }

  private read(piece: unknown): readonly AnswerEvent[] {
    if (!isObject(piece)) return []
    this.id ??= textIn(piece.generation_id)
    const start: readonly AnswerEvent[] = this.hasStarted ? [] : [{ type: 'start', id: this.id }]
    this.hasStarted = true
    return [...start, ...this.eventsOf(piece)]
  }

  /** The piece with all calls repeats the text before them. */
  private eventsOf(piece: Json): readonly AnswerEvent[] {
    const answer = objectIn(piece.response)
    const calls = this.hasCalled ? [] : callEvents(callsIn(piece.tool_calls ?? answer.tool_calls), this.id)
    if (calls.length > 0) this.hasCalled = true
    if (piece.is_finished === true) return [...calls, ...endOf(piece, answer, this.hasCalled), ...DONE]
    const text = piece.event_type === 'tool-calls-generation' ? undefined : textIn(piece.text)
    return text ? [{ type: 'text', choice: 0, text }, ...calls] : calls
  }
}

/** Calls have no ids, so they are derived from the response's id. */
const callEvents = (calls: readonly Called[], answerId: string | undefined): readonly AnswerEvent[] =>
  calls.map(({ name, json }, call) => {
    const id = `call_${sha256(`${answerId?.slice(0, ANSWER_ID_READ)}:${call}`).slice(0, CALL_ID_LENGTH)}`
    return { type: 'tool', choice: 0, call, id, name, json }
  })

const CALL_ID_LENGTH = 24

/** Splits a stream of JSON objects, one per line; throws `LineTooLong`. */
export function createLineFrames(): FrameReader {
  const left = new CutLine()
  const linesOf = (text: string): readonly string[] => text.split('\n').filter((line) => line.trim() !== '')
  return {
    feed: (bytes) => linesOf(left.wholeLines(bytes)),
    end: () => linesOf(left.joined(Buffer.alloc(0)).toString('utf8')),
  }
}

/** Returns usage and finish reason, or an error if the reason is one. */
function endOf(piece: Json, { meta, finish_reason }: Json, hasCalls: boolean): readonly AnswerEvent[] {
  const word = textIn(piece.finish_reason) ?? textIn(finish_reason) ?? 'COMPLETE'
  const usage = usageIn(objectIn(objectIn(meta).billed_units))
  const figures: readonly AnswerEvent[] = usage ? [{ type: 'usage', usage }] : []
  if (!reasons[word] && word.startsWith('ERROR'))
    return [
      ...figures,
      { type: 'error', error: { message: textIn(piece.error) ?? word, type: 'cohere_error', code: word } },
    ]
  const reason = hasCalls && word === 'COMPLETE' ? 'tool-calls' : (reasons[word] ?? word)
  return [...figures, { type: 'finish', choice: 0, reason }]
}

const reasons: Readonly<Record<string, FinishReason>> = {
  COMPLETE: 'stop',
  MAX_TOKENS: 'length',
  STOP_SEQUENCE: 'stop-sequence',
  ERROR_TOXIC: 'filter',
}

function usageIn({ input_tokens, output_tokens }: Json): Usage | undefined {
  const prompt = tokenCount(input_tokens)
  const completion = tokenCount(output_tokens)
  if (prompt === undefined || completion === undefined || prompt + completion === 0) return undefined
  return usageOf({ prompt, completion })
}
