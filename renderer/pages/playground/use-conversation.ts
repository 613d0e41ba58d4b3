import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useUnsaved } from '../../api/unsaved.ts'
import { awaited, before, changed, contextOf, type Entry, type Message, saying, without } from './conversation.ts'
import type { PlaySettings } from './settings.ts'
import { useAnswer } from './use-answer.ts'

/** The conversation and what can be done with it; while an answer comes in, only `stop` is offered. */
export type Conversation = Readonly<{
  entries: readonly Entry[]
  isBusy: boolean
  send: (text: string) => void
  /** Ends the answer that comes in; what has arrived stays. */
  stop: () => void
  /** Asks again for this answer; what stands below it goes. */
  regenerate: (answer: Message) => void
  /** Says something else in place of this message and asks again; what stands below it goes. */
  edit: (message: Message, text: string) => void
  remove: (message: Message) => void
  /** From here on, nothing above is sent any more. */
  clearContext: () => void
}>

/** A conversation with a model (docs/reference/screens.md#playground); it lives as long as the page. */
export function useConversation(settings: PlaySettings): Conversation {
  const samples = useSamples()
  const [said, setSaid] = useState<readonly Entry[]>([])
  const lastId = useRef(0)
  useUnsaved(said.length > 0)
  const { isBusy, ask, stop } = useAnswer()
  const newId = () => {
    lastId.current += 1
    return lastId.current
  }
  const answer = (asked: readonly Entry[]) => {
    const id = newId()
    setSaid([...asked, awaited(id)])
    ask(contextOf(asked, settings.system), settings, (change) => setSaid((now) => changed(now, id, change)))
  }
  const say = (earlier: readonly Entry[], text: string) => answer([...earlier, saying(newId(), 'user', text)])
  return {
    entries: said.length === 0 ? samples : said,
    isBusy,
    stop,
    send: (text) => say(said, text),
    regenerate: ({ id }) => answer(before(said, id)),
    edit: ({ id }, text) => say(before(said, id), text),
    remove: ({ id }) => setSaid((now) => without(now, id)),
    clearContext: () => setSaid((now) => (now.at(-1)?.kind === 'message' ? [...now, divider(newId())] : now)),
  }
}

const divider = (id: number): Entry => ({ kind: 'divider', id })

/** The example that stands where nothing was said yet (docs/reference/screens.md#playground); it is never sent. */
function useSamples(): readonly Entry[] {
  const { t } = useTranslation()
  return [
    { ...saying(-2, 'user', t('play.sampleAsk')), isSample: true },
    { ...saying(-1, 'assistant', t('play.sampleAnswer')), isSample: true },
  ]
}
