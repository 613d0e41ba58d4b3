import { Button, Classes, InputGroup } from '@blueprintjs/core'
import { ArrowDown, ArrowUp, Code, Plus, Trash } from '@blueprintjs/icons'
import { useId, useRef, useState } from 'react'
import { isChatLink } from '../../../../shared/links.ts'
import type { OptionKey } from '../../../../shared/options/index.ts'
import type { PanelName } from '../../../../shared/options/panels.ts'
import { focusAfter } from '../../../components/focus-after.ts'
import { useTranslation } from '../../../translation.ts'
import { OptionControl } from '../form/option-control.tsx'
import { PanelForm } from '../form/panel-form.tsx'
import { type BoundOption, useOptionForm } from '../form/use-option-form.ts'
import { type ChatRow, type ListedRow, listed, movedRow, rowsIn, textOfRows, withRow } from './chat-rows.ts'

const option: OptionKey = 'Chats'
const otherOptions: readonly OptionKey[] = ['ChatLink', 'ChatDevicesEnabled']

/** The chat presets as rows and as JSON, kept in sync, then the settings of all chats. */
export function ChatsPanel({ panel }: { panel: PanelName }) {
  const { t } = useTranslation()
  const form = useOptionForm([option, ...otherOptions])
  const [isJsonChosen, setJsonChosen] = useState(false)
  const bound = form.bind(option)
  const isListed = rowsIn(bound.value) !== undefined
  // JSON that cannot be shown as rows is shown as JSON, and stays so while typing.
  if (!isListed && !isJsonChosen) setJsonChosen(true)
  const json = (
    <Button
      variant="minimal"
      icon={<Code />}
      text={t(isJsonChosen ? 'settings.jsonHide' : 'settings.jsonShow')}
      aria-expanded={isJsonChosen}
      disabled={!isListed}
      onClick={() => setJsonChosen(!isJsonChosen)}
    />
  )
  return (
    <PanelForm form={form} panel={panel} more={json}>
      <div className="setting-field-wide setting-chat-list" data-option={option}>
        <p className={`setting-lead ${Classes.TEXT_MUTED}`}>{t('settings.chatsHint')}</p>
        {isListed && <ChatRows bound={bound} />}
      </div>
      {isJsonChosen && <OptionControl {...bound} />}
      {otherOptions.map((key) => (
        <OptionControl key={key} {...form.bind(key)} />
      ))}
    </PanelForm>
  )
}

function ChatRows({ bound }: { bound: BoundOption }) {
  const { t } = useTranslation()
  const { value, onValue, onLeave, error } = bound
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const [rows, setRows] = useState<readonly ListedRow[]>(() => listed(rowsIn(value)))
  const [written, setWritten] = useState(value)
  const [announcement, announce] = useState('')
  // The JSON was changed from outside: discarded, saved, or typed.
  if (written !== value) {
    setWritten(value)
    setRows(listed(rowsIn(value)))
  }
  const change = (next: readonly ListedRow[]) => {
    const text = textOfRows(next)
    setRows(next)
    setWritten(text)
    onValue(text)
  }
  const move = (row: ListedRow, index: number) => {
    const arrows = () => box.current?.querySelectorAll('li')[index]
    const [same, other] = index < rows.indexOf(row) ? (['up', 'down'] as const) : (['down', 'up'] as const)
    focusAfter(
      () => {
        change(movedRow(rows, row, index))
        announce(t('settings.chatPlace', { name: row.name || String(index + 1), n: index + 1, count: rows.length }))
      },
      () => arrows()?.querySelector(`[data-move=${same}]:enabled`),
      () => arrows()?.querySelector(`[data-move=${other}]`),
    )
  }
  const remove = (row: ListedRow) => {
    const index = rows.indexOf(row)
    focusAfter(
      () => change(rows.filter((one) => one !== row)),
      () => box.current?.querySelectorAll('li')[index]?.querySelector('input'),
      () => box.current?.querySelector('[data-add]'),
    )
  }
  return (
    <div ref={box}>
      <div className={`setting-chat setting-chat-heads ${Classes.TEXT_MUTED}`} aria-hidden>
        <span>{t('label.name')}</span>
        <span>{t('settings.chatAddressHead')}</span>
      </div>
      <ol className="setting-chats" aria-label={t('option.label.Chats')} onBlur={onLeave}>
        {rows.map((row, index) => (
          <li key={row.id}>
            <ChatFields
              row={row}
              index={index}
              isLast={index === rows.length - 1}
              problemId={error && id}
              onRow={(next) => change(rows.map((one) => (one === row ? { ...one, ...next } : one)))}
              onMove={(by) => move(row, index + by)}
              onRemove={() => remove(row)}
            />
          </li>
        ))}
      </ol>
      <Button
        size="small"
        icon={<Plus />}
        text={t('settings.chatAdd')}
        data-add
        onClick={() => setRows(withRow(rows))}
      />
      <div className="setting-spoken" role="status">
        {announcement}
      </div>
      {error && (
        <p id={id} className="setting-problem" role="alert">
          {error}
        </p>
      )}
    </div>
  )
}

type ChatFieldsProps = Readonly<{
  row: ChatRow
  index: number
  isLast: boolean
  /** Id of the problem that an invalid row refers to. */
  problemId: string | undefined
  onRow: (row: ChatRow) => void
  onMove: (by: -1 | 1) => void
  onRemove: () => void
}>

function ChatFields({ row, index, isLast, problemId, onRow, onMove, onRemove }: ChatFieldsProps) {
  const { t } = useTranslation()
  const n = index + 1
  const name = row.name || String(n)
  const isBlank = row.name === '' && row.address === ''
  const as = (isWrong: boolean) =>
    ({
      'aria-invalid': isWrong,
      'aria-describedby': isWrong ? problemId : undefined,
      intent: isWrong && problemId ? 'danger' : 'none',
    }) as const
  return (
    <div className="setting-chat">
      <InputGroup
        aria-label={t('settings.chatName', { n })}
        placeholder={t('label.name')}
        value={row.name}
        onValueChange={(typed) => onRow({ ...row, name: typed })}
        {...as(!isBlank && row.name.trim() === '')}
      />
      <InputGroup
        className={Classes.MONOSPACE_TEXT}
        aria-label={t('settings.chatAddress', { n })}
        placeholder="https://chat.example.com/?key={key}&url={address}"
        spellCheck={false}
        value={row.address}
        onValueChange={(typed) => onRow({ ...row, address: typed.trim() })}
        {...as(!isBlank && !isChatLink(row.address))}
      />
      <div className="setting-chat-actions">
        <Button
          variant="minimal"
          icon={<ArrowUp />}
          aria-label={t('settings.chatUp', { name })}
          data-move="up"
          disabled={index === 0}
          onClick={() => onMove(-1)}
        />
        <Button
          variant="minimal"
          icon={<ArrowDown />}
          aria-label={t('settings.chatDown', { name })}
          data-move="down"
          disabled={isLast}
          onClick={() => onMove(1)}
        />
        <Button variant="minimal" icon={<Trash />} aria-label={t('settings.chatRemove', { name })} onClick={onRemove} />
      </div>
    </div>
  )
}
