import { Button, Classes, H3, InputGroup } from '@blueprintjs/core'
import { Plus, Trash } from '@blueprintjs/icons'
import { useId, useRef } from 'react'
import { focusAfter } from '../../../../components/focus-after.ts'
import { useGroupName } from '../../../../components/group-name.ts'
import { Select } from '../../../../components/select.tsx'
import { useTranslation } from '../../../../translation.ts'
import { AUTO, type ExclusiveRow, exclusiveProblem, type GroupDraft } from './group-draft.ts'

type ExclusiveListProps = Readonly<{ draft: GroupDraft; put: (next: GroupDraft) => void }>

/** Ratios that accounts of one group pay in another, one row per pair. */
export function ExclusiveList({ draft, put }: ExclusiveListProps) {
  const { t } = useTranslation()
  const { exclusive } = draft
  const add = () => {
    const id = Math.max(-1, ...exclusive.map((row) => row.id)) + 1
    put({ ...draft, exclusive: [...exclusive, { id, userGroup: '', usedGroup: '', ratio: '' }] })
  }
  const box = useRef<HTMLElement>(null)
  const remove = ({ id }: ExclusiveRow, index: number) =>
    focusAfter(
      () => put({ ...draft, exclusive: exclusive.filter((row) => row.id !== id) }),
      () => box.current?.querySelectorAll('.price-editor-line')[index]?.querySelector('select'),
      () => box.current?.querySelector('[data-add]'),
    )
  return (
    <section ref={box} className="group-editor-exclusive" data-option="GroupGroupRatio">
      <H3 className="group-editor-heading">{t('groupEditor.exclusive')}</H3>
      <p className={Classes.TEXT_MUTED}>{t('groupEditor.exclusiveHint')}</p>
      {exclusive.map((row, index) => (
        <Pair key={row.id} row={row} index={index} draft={draft} put={put} onRemove={() => remove(row, index)} />
      ))}
      <div>
        <Button icon={<Plus />} text={t('groupEditor.addExclusive')} data-add onClick={add} />
      </div>
    </section>
  )
}

type PairProps = ExclusiveListProps & Readonly<{ row: ExclusiveRow; index: number; onRemove: () => void }>

function Pair({ row, index, draft, put, onRemove }: PairProps) {
  const { t } = useTranslation()
  const id = useId()
  const problem = exclusiveProblem(row, draft)
  const change = (part: Partial<ExclusiveRow>) =>
    put({ ...draft, exclusive: draft.exclusive.map((one) => (one.id === row.id ? { ...one, ...part } : one)) })
  const labelOf = (what: string) => t('groupEditor.exclusiveRow', { what, n: index + 1 })
  const field = { 'aria-describedby': problem && id, 'aria-invalid': problem !== undefined }
  return (
    <div>
      <div className="price-editor-line">
        <GroupSelect
          {...field}
          label={labelOf(t('groupEditor.userGroup'))}
          prompt={t('groupEditor.userGroup')}
          value={row.userGroup}
          draft={draft}
          onValue={(userGroup) => change({ userGroup })}
        />
        <GroupSelect
          {...field}
          label={labelOf(t('groupEditor.usedGroupName'))}
          prompt={t('groupEditor.usedGroup')}
          value={row.usedGroup}
          draft={draft}
          onValue={(usedGroup) => change({ usedGroup })}
        />
        <InputGroup
          {...field}
          className="price-cell"
          intent={problem ? 'danger' : 'none'}
          inputMode="decimal"
          autoComplete="off"
          placeholder={t('label.ratio')}
          aria-label={labelOf(t('label.ratio'))}
          value={row.ratio}
          onValueChange={(ratio) => change({ ratio })}
        />
        <Button
          variant="minimal"
          icon={<Trash />}
          aria-label={t('groupEditor.removeExclusive', { n: index + 1 })}
          onClick={onRemove}
        />
      </div>
      {problem && (
        <div id={id} className="group-editor-problem">
          {t(problem)}
        </div>
      )}
    </div>
  )
}

type GroupSelectProps = Readonly<{
  label: string
  /** The placeholder, and a prefix of the chosen value. */
  prompt: string
  value: string
  draft: GroupDraft
  onValue: (group: string) => void
  'aria-describedby': string | undefined
  'aria-invalid': boolean
}>

/** A group select; a stored group remains selectable even if it no longer exists. */
function GroupSelect({ label, prompt, value, draft, onValue, ...field }: GroupSelectProps) {
  const { t } = useTranslation()
  const nameOf = useGroupName()
  const known = draft.rows.map(({ name }) => name).filter((name) => name !== AUTO)
  const groups = value === '' || known.includes(value) ? known : [...known, value]
  return (
    <Select
      {...field}
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => onValue(currentTarget.value)}
      options={[
        { value: '', label: t('groupEditor.choice', { prompt, group: t('groupEditor.choose') }) },
        ...groups.map((group) => ({ value: group, label: t('groupEditor.choice', { prompt, group: nameOf(group) }) })),
      ]}
    />
  )
}
