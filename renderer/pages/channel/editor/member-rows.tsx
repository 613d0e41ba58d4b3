import './member-rows.css'
import { Button, InputGroup } from '@blueprintjs/core'
import { Plus, Trash } from '@blueprintjs/icons'
import { useState } from 'react'
import { useTranslation } from '../../../translation.ts'
import { type Member, type MemberKind, membersIn, textFor } from './json-members.ts'

type MemberRowsProps = Readonly<{
  /** JSON; the rows follow outside changes. */
  value: string
  onChange: (text: string) => void
  kind: MemberKind
  names: Readonly<{ name: string; value: string }>
}>

/** The members of a JSON object as editable rows of name and value. Nothing if it is not an object. */
export function MemberRows({ value, onChange, kind, names }: MemberRowsProps) {
  const { t } = useTranslation()
  const [rows, setRows] = useState(() => membersIn(value, kind))
  const [written, setWritten] = useState(value)
  if (written !== value) {
    setWritten(value)
    setRows(membersIn(value, kind))
  }
  if (!rows) return null
  const change = (next: readonly Member[]) => {
    const text = textFor(next, kind)
    setRows(next)
    setWritten(text)
    onChange(text)
  }
  const put = (index: number, part: Partial<Member>) =>
    change(rows.map((row, at) => (at === index ? { ...row, ...part } : row)))
  return (
    <div className="member-rows">
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names change while they are typed; only the position is stable
        <div key={index} className="member-row">
          <InputGroup
            aria-label={t('json.rowName', { what: names.name, n: index + 1 })}
            placeholder={names.name}
            autoComplete="off"
            spellCheck={false}
            value={row.name}
            onValueChange={(name) => put(index, { name })}
          />
          <span aria-hidden>→</span>
          <InputGroup
            aria-label={t('json.rowName', { what: names.value, n: index + 1 })}
            placeholder={names.value}
            autoComplete="off"
            spellCheck={false}
            value={row.text}
            onValueChange={(text) => put(index, { text })}
          />
          <Button
            variant="minimal"
            icon={<Trash />}
            aria-label={t('json.removeRow', { name: row.name || String(index + 1) })}
            onClick={() => change(rows.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      <Button
        size="small"
        icon={<Plus />}
        text={t('json.addRow')}
        onClick={() => change([...rows, { name: '', text: '' }])}
      />
    </div>
  )
}
