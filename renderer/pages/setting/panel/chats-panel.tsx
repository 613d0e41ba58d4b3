import { Button, Classes, InputGroup } from '@blueprintjs/core'
import { ArrowDown, ArrowUp, Code, Plus, Trash } from '@blueprintjs/icons'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isChatLink } from '../../../../shared/links.ts'
import type { OptionKey } from '../../../../shared/options/index.ts'
import type { PanelName } from '../../../../shared/options/panels.ts'
import { OptionControl } from '../form/option-control.tsx'
import { PanelForm } from '../form/panel-form.tsx'
import { type BoundOption, useOptionForm } from '../form/use-option-form.ts'
import { type ChatRow, rowsIn, textOfRows } from './chat-rows.ts'

const option: OptionKey = 'Chats'

/** The chat presets, a row each, and the JSON behind them: both show the same. */
export function ChatsPanel({ panel }: { panel: PanelName }) {
  const { t } = useTranslation()
  const form = useOptionForm([option])
  const [isAsked, ask] = useState(false)
  const bound = form.bind(option)
  const isTold = rowsIn(bound.value) !== undefined
  // What cannot be told in rows is shown as it is, and stays so while it is typed.
  if (!isTold && !isAsked) ask(true)
  const json = (
    <Button
      variant="minimal"
      icon={<Code />}
      text={t(isAsked ? 'settings.jsonHide' : 'settings.jsonShow')}
      aria-expanded={isAsked}
      disabled={!isTold}
      onClick={() => ask(!isAsked)}
    />
  )
  return (
    <PanelForm form={form} panel={panel} more={json}>
      <div className="setting-field-wide setting-chat-list" data-option={option}>
        <p className={`setting-lead ${Classes.TEXT_MUTED}`}>{t('settings.chatsHint')}</p>
        {isTold && <ChatRows bound={bound} />}
      </div>
      {isAsked && <OptionControl {...bound} />}
    </PanelForm>
  )
}

function ChatRows({ bound }: { bound: BoundOption }) {
  const { t } = useTranslation()
  const { value, onValue, onLeave, error } = bound
  const [rows, setRows] = useState<readonly ChatRow[]>(() => rowsIn(value) ?? [])
  const [written, setWritten] = useState(value)
  // Somebody else has changed the JSON: it was discarded, saved, or typed beside the rows.
  if (written !== value) {
    setWritten(value)
    setRows(rowsIn(value) ?? [])
  }
  const change = (next: readonly ChatRow[]) => {
    const text = textOfRows(next)
    setRows(next)
    setWritten(text)
    onValue(text)
  }
  const moved = (place: number, by: -1 | 1) => {
    const next = [...rows]
    const [row] = next.splice(place, 1)
    if (row) next.splice(place + by, 0, row)
    return next
  }
  return (
    <>
      <ol className="setting-chats" aria-label={t('option.label.Chats')} onBlur={onLeave}>
        {rows.map((row, place) => (
          // Names change while they are typed: the place is all that stays.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <li key={place}>
            <ChatFields
              row={row}
              place={place}
              isLast={place === rows.length - 1}
              isTold={error !== undefined}
              onRow={(next) => change(rows.map((one, at) => (at === place ? next : one)))}
              onMove={(by) => change(moved(place, by))}
              onRemove={() => change(rows.filter((_, at) => at !== place))}
            />
          </li>
        ))}
      </ol>
      <Button
        size="small"
        icon={<Plus />}
        text={t('settings.chatAdd')}
        onClick={() => setRows([...rows, { name: '', address: '' }])}
      />
      {error && (
        <p className="setting-problem" role="alert">
          {error}
        </p>
      )}
    </>
  )
}

type ChatFieldsProps = Readonly<{
  row: ChatRow
  place: number
  isLast: boolean
  /** What is wrong with the rows is told: each that is wrong shows it. */
  isTold: boolean
  onRow: (row: ChatRow) => void
  onMove: (by: -1 | 1) => void
  onRemove: () => void
}>

function ChatFields({ row, place, isLast, isTold, onRow, onMove, onRemove }: ChatFieldsProps) {
  const { t } = useTranslation()
  const n = place + 1
  const name = row.name || String(n)
  const isBlank = row.name === '' && row.address === ''
  const as = (isWrong: boolean) => ({ 'aria-invalid': isWrong, intent: isWrong && isTold ? 'danger' : 'none' }) as const
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
          disabled={place === 0}
          onClick={() => onMove(-1)}
        />
        <Button
          variant="minimal"
          icon={<ArrowDown />}
          aria-label={t('settings.chatDown', { name })}
          disabled={isLast}
          onClick={() => onMove(1)}
        />
        <Button variant="minimal" icon={<Trash />} aria-label={t('settings.chatRemove', { name })} onClick={onRemove} />
      </div>
    </div>
  )
}
