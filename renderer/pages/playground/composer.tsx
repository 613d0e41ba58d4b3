import { Button, TextArea } from '@blueprintjs/core'
import { SendMessage, Stop } from '@blueprintjs/icons'
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useUnsaved } from '../../api/unsaved.ts'

type ComposerProps = Readonly<{
  isBusy: boolean
  /** Why nothing can be sent yet; empty when all is there. */
  missing: string
  onSend: (text: string) => void
  onStop: () => void
}>

/** Where a message is written: Enter sends, Shift and Enter make a new line; while an answer comes in, it can be stopped. */
export function Composer({ isBusy, missing, onSend, onStop }: ComposerProps) {
  const { t } = useTranslation()
  const [text, type] = useState('')
  useUnsaved(text.trim() !== '')
  const canSend = !isBusy && missing === '' && text.trim() !== ''
  const send = () => {
    if (!canSend) return
    onSend(text.trim())
    type('')
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send()
  }
  const press = (event: KeyboardEvent) => {
    // Enter also ends the composing of a Chinese word.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  return (
    <form className="play-composer" onSubmit={submit}>
      <TextArea
        fill
        autoResize
        rows={2}
        aria-label={t('play.message')}
        placeholder={missing || t('play.messageHint')}
        value={text}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={press}
      />
      {isBusy ? (
        <Button key="stop" icon={<Stop />} text={t('play.stop')} onClick={onStop} />
      ) : (
        <Button
          key="send"
          type="submit"
          intent="primary"
          icon={<SendMessage />}
          text={t('play.send')}
          disabled={!canSend}
        />
      )}
    </form>
  )
}
