import type { Usage } from '../../../billing/usage.ts'
import type { AnswerFrame, Json, StreamEncoder } from '../codec.ts'
import type { AnswerEvent } from '../events.ts'
import { ChoiceStream } from './choice-stream.ts'
import { usageOut } from './usage.ts'

/** Writes a stream of "chat completion chunk objects" with its end mark. */
export const encodeStream = (frame: AnswerFrame): StreamEncoder => new ChunkWriter(frame)

/** A class: one is made for every stream. What all its chunks have in common is written once. */
class ChunkWriter implements StreamEncoder {
  private readonly frame: AnswerFrame
  private readonly choices: ChoiceStream[] = []
  private readonly head: string
  private readonly tail: string

  constructor(frame: AnswerFrame) {
    this.frame = frame
    const shared = {
      id: `chatcmpl-${frame.id}`,
      object: 'chat.completion.chunk',
      created: frame.created,
      model: frame.model,
    }
    this.head = `data: ${JSON.stringify(shared).slice(0, -1)},"choices":[`
    this.tail = frame.wantsUsage ? ',"usage":null}\n\n' : '}\n\n'
  }

  add(event: AnswerEvent): string {
    if (event.type === 'start') return this.choiceOf(0).open()
    if (!('choice' in event)) return ''
    return this.choiceOf(event.choice).add(event)
  }

  /** Finishes every choice, says the usage where it is wanted, and ends with `[DONE]`. */
  end(usage: Usage): string {
    if (this.choices.length === 0) this.choiceOf(0)
    const endings = this.choices.map((choice) => choice.end())
    const figures: Json = usageOut(usage)
    const used = this.frame.wantsUsage ? `${this.head}],"usage":${JSON.stringify(figures)}}\n\n` : ''
    return `${endings.join('')}${used}data: [DONE]\n\n`
  }

  private choiceOf(index: number): ChoiceStream {
    const known = this.choices[index]
    if (known) return known
    const choice = new ChoiceStream(index, this.frame, this.head, this.tail)
    this.choices[index] = choice
    return choice
  }
}
