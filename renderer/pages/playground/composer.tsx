import { Button, Classes, TextArea } from '@blueprintjs/core'
import { Paperclip, SendMessage, Stop } from '@blueprintjs/icons'
import { type ClipboardEvent, type FormEvent, type KeyboardEvent, useId, useRef } from 'react'
import { useTranslation } from '../../translation.ts'
import { offeredTypes } from './attachments/attachment.ts'
import { AttachmentList } from './attachments/attachment-list.tsx'
import { FileProblems } from './attachments/file-problems.tsx'
import type { Drafting } from './use-draft.ts'
import { useSending } from './use-sending.ts'

type ComposerProps = Readonly<{
  isBusy: boolean
  /** Why nothing can be sent yet; empty when all is there. */
  missing: string
  /** What is missing is on its way. */
  isLoading: boolean
  drafting: Drafting
  onSend: () => void
  onStop: () => void
}>

/** Where a message is written: Enter sends, Shift and Enter make a new line; while an answer comes in, it can be stopped. */
export function Composer({ isBusy, missing, isLoading, drafting, onSend, onStop }: ComposerProps) {
  const { t } = useTranslation()
  const { draft, problems, isReading, write, attach } = drafting
  const { text, attachments } = draft
  const hasWords = text.trim() !== '' || attachments.length > 0 || isReading
  const canAsk = hasWords && !isBusy && (missing === '' || isLoading)
  const isReady = missing === '' && !isReading
  const { isAsked, send } = useSending({
    text,
    canSend: canAsk && isReady,
    isWaiting: canAsk && !isReady,
    isAmiss: problems.length > 0,
    onSend,
  })
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
  const paste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files]
    if (files.length === 0) return
    event.preventDefault()
    attach(files)
  }
  return (
    <form className="play-composer" onSubmit={submit} onPaste={paste}>
      <AttachmentList
        attachments={attachments}
        onRemove={(id) => write({ attachments: attachments.filter((one) => one.id !== id) })}
      />
      {attachments.length > 0 && <p className={`play-note ${Classes.TEXT_MUTED}`}>{t('play.filesHint')}</p>}
      <FileProblems problems={problems} />
      <div className="play-composer-line">
        <AttachButton onFiles={attach} />
        <TextArea
          fill
          autoResize
          rows={2}
          aria-label={t('play.message')}
          placeholder={missing || t('play.messageHint')}
          value={text}
          onChange={(event) => write({ text: event.currentTarget.value })}
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
            loading={isAsked}
            disabled={!canAsk}
          />
        )}
      </div>
    </form>
  )
}

/** Opens the system's dialog for files. */
function AttachButton({ onFiles }: { onFiles: Drafting['attach'] }) {
  const { t } = useTranslation()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        id={id}
        ref={input}
        type="file"
        hidden
        multiple
        accept={offeredTypes}
        aria-label={t('play.attach')}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])])
          // So that a file which was taken away can be chosen once more.
          currentTarget.value = ''
        }}
      />
      <Button
        icon={<Paperclip />}
        aria-label={t('play.attach')}
        title={t('play.attachHint')}
        onClick={() => input.current?.click()}
      />
    </>
  )
}
