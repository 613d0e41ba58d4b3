import { type JsonObject, objectIn } from '../../../base/json/json.ts'
import type { Usage } from '../../../billing/usage.ts'
import type { AnswerFrame, Json, StreamEncoder } from '../codec.ts'
import type { AnswerEvent, FinishReason } from '../events.ts'
import { CallStream } from './call-stream.ts'
import { finishOut } from './finish.ts'
import { functionCallOf, legacyFinish, offersFunctions } from './legacy-call.ts'
import { logProbabilitiesOut, merged } from './logprobs-out.ts'
import { Citations, isSpeech, textFallback } from './text-fallback.ts'
import { ThoughtSeals } from './thought-seals.ts'
import { usageOut } from './usage.ts'

export const encodeStream = (frame: AnswerFrame): StreamEncoder => new ChunkWriter(frame)

/** A class: one is created for each stream. The common parts of all chunks are serialized once. */
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

  end(usage: Usage): string {
    if (this.choices.length === 0) this.choiceOf(0)
    const endings = this.choices.map((choice) => choice.end())
    const figures: Json = usageOut(usage)
    const usageChunk = this.frame.wantsUsage ? `${this.head}],"usage":${JSON.stringify(figures)}}\n\n` : ''
    return `${endings.join('')}${usageChunk}data: [DONE]\n\n`
  }

  private choiceOf(index: number): ChoiceStream {
    const known = this.choices[index]
    if (known) return known
    const choice = new ChoiceStream(index, this.frame, this.head, this.tail)
    this.choices[index] = choice
    return choice
  }
}

type ChoiceEvent = Extract<AnswerEvent, { choice: number }>

/** Writes the chunks of one choice: its role first, its finish reason last and only once. */
class ChoiceStream {
  private readonly frame: AnswerFrame
  private readonly head: string
  private readonly tail: string
  private readonly calls: CallStream
  private readonly seals = new ThoughtSeals()
  private readonly citations = new Citations()
  private logprobs: JsonObject | undefined
  private isOpen = false
  private isFinished = false

  /** `head` is the beginning of every chunk up to its choices, `tail` what follows them. */
  constructor(index: number, frame: AnswerFrame, head: string, tail: string) {
    this.frame = frame
    this.head = `${head}{"index":${index},"delta":`
    this.tail = `}]${tail}`
    this.calls = new CallStream(index, frame)
  }

  open(): string {
    if (this.isOpen) return ''
    this.isOpen = true
    return this.chunk({ role: 'assistant', content: '' })
  }

  /** Plain text, the most frequent event, is written without creating an object. */
  add(event: ChoiceEvent): string {
    if (event.type === 'finish') return this.finish(event.reason)
    const opening = this.open()
    if (event.type === 'text') {
      this.citations.pass(event.text)
      return `${opening}${this.head}{"content":${JSON.stringify(event.text)}}${this.scores()},"finish_reason":null${this.tail}`
    }
    return opening + this.addMore(event)
  }

  end(): string {
    return this.finish(undefined)
  }

  private addMore(event: Exclude<ChoiceEvent, { type: 'finish' }>): string {
    if (event.type === 'tool') return this.toolChunk(this.calls.add(event))
    if (event.type === 'reasoning') return this.thought(event)
    if (event.type === 'refusal') return this.chunk({ refusal: event.text })
    if (event.type === 'logprobs') return this.scored(logProbabilitiesOut(event))
    if (event.type === 'citation') return this.chunk({ annotations: [this.citations.annotation(event)] })
    if (isSpeech(event)) return this.speech(event)
    const text = textFallback(event)
    if (text !== undefined) {
      this.citations.pass(text)
      return this.chunk({ content: text })
    }
    const isScore = event.type === 'extra' && event.of === 'openai' && event.name === 'logprobs'
    return isScore ? this.scored(objectIn(event.value)) : ''
  }

  private scored(logprobs: Json): string {
    this.logprobs = merged(this.logprobs, logprobs)
    return ''
  }

  private scores(): string {
    if (this.logprobs === undefined) return ''
    const member = `,"logprobs":${JSON.stringify(this.logprobs)}`
    this.logprobs = undefined
    return member
  }

  /** Writes reasoning as text, and as items once their seal is known. */
  private thought(event: Extract<AnswerEvent, { type: 'reasoning' }>): string {
    const details = this.seals.add(event)
    if (!event.text && details.length === 0) return ''
    return this.chunk({
      ...(event.text ? { reasoning_content: event.text } : {}),
      ...(details.length > 0 ? { reasoning_details: details } : {}),
    })
  }

  private speech({ id, data, transcript }: Extract<AnswerEvent, { type: 'media' }>): string {
    const spoken = transcript === undefined ? {} : { transcript }
    return this.chunk({ audio: { id: id ?? `audio_${this.frame.id}`, ...(data ? { data } : {}), ...spoken } })
  }

  /** Writes buffered parts before the finish reason; ignores a second finish reason. */
  private finish(reason: FinishReason | undefined): string {
    if (this.isFinished) return ''
    const opening = this.open()
    this.isFinished = true
    const details = this.seals.end()
    const thought = details.length > 0 ? this.chunk({ reasoning_details: details }) : ''
    const calls = this.toolChunk(this.calls.end())
    const scores = this.logprobs === undefined ? '' : this.chunk({})
    const known = finishOut(reason, this.calls.hasCalls)
    const word = JSON.stringify(offersFunctions(this.frame) ? legacyFinish(known) : known)
    return `${opening}${thought}${calls}${scores}${this.head}{},"finish_reason":${word}${this.tail}`
  }

  private toolChunk(items: readonly Json[]): string {
    if (items.length === 0) return ''
    if (!offersFunctions(this.frame)) return this.chunk({ tool_calls: items })
    const delta = functionCallOf(items)
    return 'function_call' in delta ? this.chunk(delta) : ''
  }

  private chunk(delta: Json): string {
    return `${this.head}${JSON.stringify(delta)}${this.scores()},"finish_reason":null${this.tail}`
  }
}
