import type { JsonObject } from '../../../base/json.ts'
import type { Usage } from '../../../billing/usage.ts'
import type { AnswerFrame, StreamEncoder, StreamPlace } from '../codec.ts'
import type { AnswerEvent } from '../events.ts'
import { SummaryWriter } from './compaction.ts'
import { Composition } from './composition.ts'

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

  place(): StreamPlace {
    return this.#composition.place()
  }

  #written(): string {
    return this.#composition.log.take().map(written).join('')
  }
}

/** An event as its line of name and its line of data. */
export const written = (event: JsonObject): string => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
