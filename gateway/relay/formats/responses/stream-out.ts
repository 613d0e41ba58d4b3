import type { Usage } from '../../../billing/usage.ts'
import type { AnswerFrame, StreamEncoder, StreamPosition } from '../codec.ts'
import type { AnswerEvent } from '../events.ts'
import { SummaryWriter } from './compaction.ts'
import { Composition } from './composition.ts'
import { type LoggedEvent, TextPiece } from './output-item.ts'

/** Writes one stream of `response.*` events (OpenAI's API reference, "Streaming events"), which has no `[DONE]`. */
export const encodeStream = (frame: AnswerFrame): StreamEncoder => new ResponsesEncoder(frame)

class ResponsesEncoder implements StreamEncoder {
  readonly #composition: Composition | SummaryWriter

  constructor(frame: AnswerFrame) {
    this.#composition = frame.compaction ? new SummaryWriter(frame) : new Composition(frame)
  }

  add(event: AnswerEvent): string {
    this.#composition.add(event)
    return this.#written()
  }

  end(usage: Usage): string {
    this.#composition.end(usage)
    return this.#written()
  }

  position(): StreamPosition {
    return this.#composition.position()
  }

  #written(): string {
    let text = ''
    for (const event of this.#composition.log.take()) text += written(event)
    return text
  }
}

export const written = (event: LoggedEvent): string =>
  event instanceof TextPiece
    ? `${TEXT_DELTA}${event.number},${event.position},"delta":${JSON.stringify(event.delta)},"logprobs":[]}\n\n`
    : `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`

const TEXT_DELTA = 'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","sequence_number":'
