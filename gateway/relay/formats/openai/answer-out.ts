import { isObject, type JsonObject } from '../../../base/json/json.ts'
import type { Usage } from '../../../billing/usage.ts'
import type { AnswerFrame, Json } from '../codec.ts'
import type { AnswerEvent, FinishReason } from '../events.ts'
import { Speech } from './audio-format.ts'
import { ownCallId } from './call-id.ts'
import { callOut, type WholeCall } from './custom-call.ts'
import { finishOut } from './finish.ts'
import { functionCallOf, legacyFinish, offersFunctions } from './legacy-call.ts'
import { logProbabilitiesOut, merged } from './logprobs-out.ts'
import { Citations, isSpeech, textFallback } from './text-fallback.ts'
import { ThoughtSeals } from './thought-seals.ts'
import { usageOut } from './usage.ts'

/**
 * Writes a whole response ("The chat completion object"). A response without events of a choice gets an empty choice.
 */
export function encodeAnswer(events: readonly AnswerEvent[], frame: AnswerFrame, usage: Usage): Json {
  const choices = new Map<number, ChoiceWriter>()
  const writerOf = (choice: number): ChoiceWriter => {
    const known = choices.get(choice)
    if (known) return known
    const writer = new ChoiceWriter(choice, frame)
    choices.set(choice, writer)
    return writer
  }
  for (const event of events) if ('choice' in event) writerOf(event.choice).add(event)
  if (choices.size === 0) writerOf(0)
  return {
    id: `chatcmpl-${frame.id}`,
    object: 'chat.completion',
    created: frame.created,
    model: frame.model,
    choices: [...choices.values()].sort((a, b) => a.index - b.index).map((writer) => writer.write()),
    usage: usageOut(usage),
  }
}

type ChoiceEvent = Extract<AnswerEvent, { choice: number }>

class ChoiceWriter {
  readonly index: number
  private readonly frame: AnswerFrame
  private readonly calls = new Map<number, WholeCall>()
  private readonly seals = new ThoughtSeals()
  private readonly details: Json[] = []
  private readonly citations = new Citations()
  private readonly annotations: Json[] = []
  private readonly speech = new Speech()
  private text: string | undefined
  private thoughts: string | undefined
  private refusal: string | undefined
  private logprobs: JsonObject | undefined
  private finish: FinishReason | undefined

  constructor(index: number, frame: AnswerFrame) {
    this.index = index
    this.frame = frame
  }

  add(event: ChoiceEvent): void {
    if (event.type === 'tool') this.addCall(event)
    else if (event.type === 'reasoning') this.addThought(event)
    else if (event.type === 'refusal') this.refusal = (this.refusal ?? '') + event.text
    else if (event.type === 'citation') this.annotations.push(this.citations.annotation(event))
    else if (event.type === 'finish') this.finish = event.reason
    else if (event.type === 'logprobs') this.logprobs = merged(this.logprobs, logProbabilitiesOut(event))
    else if (isSpeech(event)) this.speech.add(event)
    else this.addText(event)
  }

  /** Writes the choice; content is null if it has tool calls, a refusal or audio, but no text. */
  write(): Json {
    const { text, thoughts, refusal, annotations } = this
    const calls = [...this.calls.values()].map(callOut)
    const audio = this.speech.write(this.frame)
    const hasOther = calls.length > 0 || refusal !== undefined || audio !== undefined
    const details = [...this.details, ...this.seals.end()]
    const message = {
      role: 'assistant',
      content: text ?? (hasOther ? null : ''),
      ...(thoughts === undefined ? {} : { reasoning_content: thoughts }),
      ...(details.length > 0 ? { reasoning_details: details } : {}),
      refusal: refusal ?? null,
      ...(annotations.length > 0 ? { annotations } : {}),
      ...(audio ? { audio } : {}),
      ...(calls.length > 0 ? this.callsOut(calls) : {}),
    }
    const reason = finishOut(this.finish, calls.length > 0)
    const finish_reason = offersFunctions(this.frame) ? legacyFinish(reason) : reason
    return { index: this.index, message, logprobs: this.logprobs ?? null, finish_reason }
  }

  private callsOut(calls: readonly Json[]): Json {
    return offersFunctions(this.frame) ? functionCallOf(calls) : { tool_calls: calls }
  }

  private addCall(event: Extract<AnswerEvent, { type: 'tool' }>): void {
    const known = this.calls.get(event.call)
    this.calls.set(event.call, {
      id: known?.id ?? event.id ?? ownCallId(this.frame.id, this.index, event.call),
      name: known?.name ?? event.name ?? '',
      json: (known?.json ?? '') + (event.json ?? ''),
      custom: known?.custom ?? event.custom ?? false,
      shape: known?.shape ?? event.shape,
      signature: event.signature ?? known?.signature,
    })
  }

  private addThought(event: Extract<AnswerEvent, { type: 'reasoning' }>): void {
    if (event.text) this.thoughts = (this.thoughts ?? '') + event.text
    this.details.push(...this.seals.add(event))
  }

  private addText(event: ChoiceEvent): void {
    const text = textFallback(event)
    if (text !== undefined) {
      this.citations.pass(text)
      this.text = (this.text ?? '') + text
    }
    if (event.type === 'extra' && event.name === 'logprobs' && isObject(event.value))
      this.logprobs = merged(this.logprobs, event.value)
  }
}
