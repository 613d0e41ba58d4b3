import { Button, Callout, Classes, TextArea } from '@blueprintjs/core'
import { Paperclip, SendMessage, Stop } from '@blueprintjs/icons'
import { type ClipboardEvent, type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useTouch } from '../../components/use-narrow.ts'
import type { TextKey } from '../../i18n.ts'
import { useTranslation } from '../../translation.ts'
import { offeredTypes } from './attachments/attachment.ts'
import { AttachmentList } from './attachments/attachment-list.tsx'
import type { FileProblem } from './attachments/read-files.ts'
import type { Drafting } from './use-draft.ts'

type ComposerProps = Readonly<{
  isBusy: boolean
  missing: string
  isLoading: boolean
  drafting: Drafting
  onSend: () => void
  onStop: () => void
}>

/**
 * The message input: Enter sends and Shift+Enter inserts a line break, which on touch screens Enter does. A running
 * answer can be stopped.
 */
export function Composer({ isBusy, missing, isLoading, drafting, onSend, onStop }: ComposerProps) {
  const { t } = useTranslation()
  const isTouch = useTouch()
  const { draft, problems, isReading, write, attach } = drafting
  const { text, attachments } = draft
  const hasContent = text.trim() !== '' || attachments.length > 0 || isReading
  const canSubmit = hasContent && !isBusy && (missing === '' || isLoading)
  const isReady = missing === '' && !isReading
  const { isPending, send } = useSending({
    text,
    canSend: canSubmit && isReady,
    isWaiting: canSubmit && !isReady,
    isAmiss: problems.length > 0,
    onSend,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send()
  }
  const press = (event: KeyboardEvent) => {
    // Enter also ends IME composition.
    if (event.key !== 'Enter' || isTouch || event.shiftKey || event.nativeEvent.isComposing) return
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
          placeholder={missing || t(isTouch ? 'play.messageHintTouch' : 'play.messageHint')}
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
            loading={isPending}
            disabled={!canSubmit}
          />
        )}
      </div>
    </form>
  )
}

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
          // Reset, so that a removed file can be chosen again.
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

function FileProblems({ problems }: { problems: readonly FileProblem[] }) {
  const { t } = useTranslation()
  if (problems.length === 0) return null
  return (
    <Callout compact intent="warning" role="alert">
      {problems.map(({ name, reason }) => (
        <div key={`${reason} ${name}`}>{t(reasons[reason], { name })}</div>
      ))}
    </Callout>
  )
}

const reasons: Readonly<Record<FileProblem['reason'], TextKey>> = {
  tooLarge: 'play.file.tooLarge',
  tooMuch: 'play.file.tooMuch',
  unsupported: 'play.file.unsupported',
  unreadable: 'play.file.unreadable',
}

type Sending = Readonly<{
  /** The message that would be sent; a change cancels a pending send. */
  text: string
  canSend: boolean
  /** Something required is loading: the models, or attachments. */
  isWaiting: boolean
  /** Some attachments failed: the user must check them before sending. */
  isAmiss: boolean
  onSend: () => void
}>

/** Sends at once, or when loading has finished; `isPending` while waiting. */
function useSending({
  text,
  canSend,
  isWaiting,
  isAmiss,
  onSend,
}: Sending): Readonly<{ isPending: boolean; send: () => void }> {
  const [pending, setPending] = useState<string>()
  const isPending = pending === text
  useEffect(() => {
    if (pending === undefined || (isPending && isWaiting)) return
    setPending(undefined)
    if (isPending && canSend && !isAmiss) onSend()
  })
  return {
    isPending,
    send() {
      if (canSend) onSend()
      else if (isWaiting) setPending(text)
    },
  }
}
