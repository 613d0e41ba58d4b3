import { isObject, type JsonObject } from '../../base/json/json.ts'
import { choiceIndex } from '../formats/choice-index.ts'
import { ChoiceReader } from '../formats/openai/choice-reader.ts'
import type { TokenEstimator } from '../tokenizer/estimate.ts'
import { addOutput, type NonTextOutput } from './non-text-output.ts'

/**
 * Feeds the output of choices in OpenAI's dialect to the estimator and to `nonText`. Uses the reader that translates
 * responses, so that estimate and translation see the same output, even if a vendor omits or repeats something. A
 * class: one is created per response.
 */
export class ChoiceTexts {
  readonly #estimator: TokenEstimator
  readonly #nonText: NonTextOutput
  readonly #readers: ChoiceReader[] = []
  /** Whether the last output was reasoning, or a summary of it. */
  isThinking = false

  constructor(estimator: TokenEstimator, nonText: NonTextOutput) {
    this.#estimator = estimator
    this.#nonText = nonText
  }

  take(choice: Readonly<JsonObject>, index: number): boolean {
    let isMore = false
    if (typeof choice.text === 'string' && choice.text !== '') {
      this.#estimator.add(choice.text)
      this.isThinking = false
      isMore = true
    }
    const isComplete = isObject(choice.message) && !isObject(choice.delta)
    const message = choice.delta ?? choice.message ?? othersOf(choice)
    if (!isObject(message)) return isMore
    for (const event of this.#readerOf(choice, index).take(TEXT_ONLY, message, isComplete, ''))
      if (addOutput(event, this.#estimator, this.#nonText)) {
        this.isThinking = event.type === 'reasoning'
        isMore = true
      }
    return isMore
  }

  #readerOf(choice: Readonly<JsonObject>, position: number): ChoiceReader {
    const index = choiceIndex(choice.index, position)
    const known = this.#readers[index]
    if (known) return known
    const reader = new ChoiceReader(index)
    this.#readers[index] = reader
    return reader
  }
}

/** What a legacy completion has in addition to its text, such as reasoning (OpenRouter, "Completions"). */
function othersOf(choice: Readonly<JsonObject>): JsonObject {
  const { text: _, index: __, finish_reason, native_finish_reason, stop_reason, logprobs, ...others } = choice
  return others
}

/** Only the text of a choice is read, not its probabilities or its end. */
const TEXT_ONLY = {}
