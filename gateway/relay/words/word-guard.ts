import { linesOf } from '../../../shared/options/lists.ts'
import { refuse } from '../../base/errors.ts'
import { type JsonObject, objectIn, parsed } from '../../base/json.ts'
import type { Logger } from '../../base/logger.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Format } from '../formats/format.ts'
import { tellTexts } from './prompt-texts.ts'
import { createWordList, type WordList } from './word-list.ts'

/** The operator's blocked words (spec/relay.md §7.3). */
export interface WordGuard {
  /** Refuses a body that says one of them; the word itself is told to the log alone. */
  checkPrompt(json: JsonObject, format: Format, requestId: string): void
  /** Refuses an event of a realtime session that says one of them; text that is no JSON says nothing. */
  checkEvent(text: string, requestId: string): void
  /** The words that end an answer; undefined while answers are not read for them. */
  answerWords(): WordList | undefined
  /** Tells the log which word ended an answer. */
  noteAnswer(word: string, requestId: string): void
}

/** Follows the options; the words are made searchable once for each change of them. */
export function createWordGuard(settings: Pick<Settings, 'get' | 'derive'>, log: Logger): WordGuard {
  const words = settings.derive(['SensitiveWords'], () => createWordList(linesOf(settings.get('SensitiveWords'))))
  const wordsIf = (flag: 'CheckSensitiveOnPromptEnabled' | 'StopOnSensitiveEnabled') =>
    settings.get('CheckSensitiveEnabled') && settings.get(flag) ? words() : undefined
  const refuseWord = (word: string | undefined, format: Format, requestId: string) => {
    if (word === undefined) return
    log.warn('a blocked word in a request', { requestId, word })
    throw refuse('invalid', 'relay.sensitiveWords', {}, { code: codes[format] })
  }
  return {
    checkPrompt(json, format, requestId) {
      const list = wordsIf('CheckSensitiveOnPromptEnabled')
      if (list) refuseWord(wordIn(json, list), format, requestId)
    },
    checkEvent(text, requestId) {
      const list = wordsIf('CheckSensitiveOnPromptEnabled')
      if (!list) return
      const event = objectIn(parsed(text))
      for (const part of [event.session, event.item, event.response])
        refuseWord(wordIn(objectIn(part), list), 'openai', requestId)
    },
    answerWords: () => wordsIf('StopOnSensitiveEnabled'),
    noteAnswer: (word, requestId) => log.warn('a blocked word in an answer', { requestId, word }),
  }
}

/** The first blocked word that a body says. */
function wordIn(json: JsonObject, list: WordList): string | undefined {
  let found: string | undefined
  let reader = list.reader()
  let isFresh = true
  tellTexts(json, {
    piece(text) {
      isFresh = false
      found ??= reader.read(text)?.word
    },
    ends() {
      if (!isFresh) reader = list.reader()
      isFresh = true
    },
  })
  return found
}

const codes: Readonly<Record<Format, string>> = {
  openai: 'sensitive_words_detected',
  anthropic: 'sensitive_words_detected',
  responses: 'check_request_sensitive_error',
  gemini: 'check_request_sensitive_error',
}
