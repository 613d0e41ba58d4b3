import { isObject, type JsonObject } from '../../base/json/json.ts'
import { choiceIndex } from '../formats/choice-index.ts'
import { ChoiceReader } from '../formats/openai/choice-reader.ts'
import type { TokenEstimator } from '../tokenizer/estimate.ts'
import { addSaid, type Besides } from './besides-text.ts'

/**
 * Feeds what the choices of OpenAI's dialect produce to the estimator and to `besides`. They are read by the reader that
 * an answer is translated with, so that both ways count alike whatever a vendor leaves out or says twice. A class: one is
 * made for every answer.
 */
export class SaidInChoices {
  readonly #estimator: TokenEstimator
  readonly #besides: Besides
  readonly #readers: ChoiceReader[] = []

  constructor(estimator: TokenEstimator, besides: Besides) {
    this.#estimator = estimator
    this.#besides = besides
  }

  /** Takes a choice that stands at `place` among the others, a piece of one or a whole one; false where it says nothing. */
  take(choice: Readonly<JsonObject>, place: number): boolean {
    let isMore = false
    if (typeof choice.text === 'string' && choice.text !== '') {
      this.#estimator.add(choice.text)
      isMore = true
    }
    const isWhole = !isObject(choice.delta)
    const said = isWhole ? choice.message : choice.delta
    if (!isObject(said)) return isMore
    for (const event of this.#readerOf(choice, place).take(SAID_ALONE, said, isWhole, ''))
      if (addSaid(event, this.#estimator, this.#besides)) isMore = true
    return isMore
  }

  #readerOf(choice: Readonly<JsonObject>, place: number): ChoiceReader {
    const index = choiceIndex(choice.index, place)
    const known = this.#readers[index]
    if (known) return known
    const reader = new ChoiceReader(index)
    this.#readers[index] = reader
    return reader
  }
}

/** Of a choice, what it says is read, not how likely it was nor how it ended. */
const SAID_ALONE = {}
