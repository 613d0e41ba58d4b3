import { Button, Checkbox, Classes, InputGroup, Switch, Tag } from '@blueprintjs/core'
import { ChevronDown, ChevronUp, Trash } from '@blueprintjs/icons'
import { useId, useRef, useState } from 'react'
import type { Page } from '../../../../api/use-page.ts'
import { BlankState } from '../../../../components/blank-state/blank-state.tsx'
import { focusAfter } from '../../../../components/focus-after.ts'
import { useGroupName } from '../../../../components/group-name.ts'
import { type Column, PageTable } from '../../../../components/page-table/page-table.tsx'
import { useTranslation } from '../../../../translation.ts'
import { AUTO, type GroupDraft, type GroupRow, lasting, movedTo, ratioProblem, withoutGroup } from './group-draft.ts'

type GroupListProps = Readonly<{
  draft: GroupDraft
  put: (next: GroupDraft) => void
  page: Page<GroupRow>
  usageOf: (group: string) => string | undefined
}>

export function GroupList(props: GroupListProps) {
  const { t } = useTranslation()
  const { draft, put, page } = props
  const box = useRef<HTMLDivElement>(null)
  const [announcement, announce] = useState('')
  const columns: Column<GroupRow>[] = [
    { id: 'name', title: t('label.group'), cell: (row) => <Name row={row} /> },
    { id: 'ratio', title: t('label.ratio'), cell: (row) => <Ratio {...props} row={row} /> },
    { id: 'selectable', title: t('groupEditor.selectable'), cell: (row) => <Selectable {...props} row={row} /> },
    {
      id: 'description',
      title: t('groupEditor.description'),
      isSecondary: true,
      cell: (row) => <Description {...props} row={row} />,
    },
    { id: 'order', title: t('groupEditor.order'), cell: (row) => <Order {...props} row={row} announce={announce} /> },
    {
      id: 'usage',
      title: t('groupEditor.usedBy'),
      isSecondary: true,
      cell: ({ name }) => <Usage text={props.usageOf(name)} />,
    },
  ]
  const remove = (name: string, button: HTMLElement) => {
    const deleteButtons = () => [...(box.current?.querySelectorAll('[data-delete]') ?? [])]
    const index = deleteButtons().indexOf(button)
    focusAfter(
      () => put(withoutGroup(draft, name)),
      () => deleteButtons()[index] ?? deleteButtons().at(-1),
      () => box.current?.querySelector('input'),
    )
  }
  return (
    <div ref={box}>
      <PageTable
        view={{
          label: t('groupEditor.list'),
          columns,
          keyOf: ({ name }) => name,
          actions: ({ name }) =>
            !lasting.includes(name) && (
              <Button
                variant="minimal"
                icon={<Trash />}
                aria-label={t('groupEditor.delete', { group: name })}
                data-delete
                onClick={({ currentTarget }) => remove(name, currentTarget)}
              />
            ),
        }}
        page={page}
        empty={
          <BlankState scope="section" icon={null} title={t('groupEditor.list')} description={t('groupEditor.add')} />
        }
      />
      <div className="setting-spoken" role="status">
        {announcement}
      </div>
    </div>
  )
}

type CellProps = Pick<GroupListProps, 'draft' | 'put'> & Readonly<{ row: GroupRow }>

/** The display name, and the group's own name if it differs. */
function Name({ row: { name, ratio } }: { row: GroupRow }) {
  const { t } = useTranslation()
  const shown = useGroupName()(name)
  return (
    <span className="price-editor-model">
      {shown}
      {shown !== name && <code className={Classes.TEXT_MUTED}>{name}</code>}
      {name !== AUTO && ratio.trim() === '' && <Tag minimal>{t('groupEditor.noRatio')}</Tag>}
    </span>
  )
}

const withRow = (draft: GroupDraft, name: string, change: Partial<GroupRow>): GroupDraft => ({
  ...draft,
  rows: draft.rows.map((row) => (row.name === name ? { ...row, ...change } : row)),
})

function Ratio({ draft, put, row: { name, ratio } }: CellProps) {
  const { t } = useTranslation()
  const id = useId()
  if (name === AUTO) return <span className={Classes.TEXT_MUTED}>—</span>
  const problem = ratioProblem(ratio)
  return (
    <>
      <InputGroup
        className="price-cell"
        size="small"
        inputMode="decimal"
        autoComplete="off"
        aria-label={t('groupEditor.ratioOf', { group: name })}
        aria-invalid={problem !== undefined}
        aria-describedby={problem && id}
        intent={problem ? 'danger' : 'none'}
        value={ratio}
        onValueChange={(text) => put(withRow(draft, name, { ratio: text }))}
      />
      {problem && (
        <div id={id} className="price-cell-problem">
          {t(problem)}
        </div>
      )}
    </>
  )
}

function Selectable({ draft, put, row: { name, description } }: CellProps) {
  const { t } = useTranslation()
  return (
    <Switch
      className="group-editor-switch"
      aria-label={t('groupEditor.selectableOf', { group: name })}
      checked={description !== undefined}
      onChange={({ currentTarget }) =>
        put(withRow(draft, name, { description: currentTarget.checked ? name : undefined }))
      }
    />
  )
}

function Description({ draft, put, row: { name, description } }: CellProps) {
  const { t } = useTranslation()
  return (
    <InputGroup
      className="group-editor-description"
      size="small"
      autoComplete="off"
      aria-label={t('groupEditor.descriptionOf', { group: name })}
      disabled={description === undefined}
      value={description ?? ''}
      onValueChange={(text) => put(withRow(draft, name, { description: text }))}
    />
  )
}

/** The group's position in `auto`, and buttons to change it. */
function Order({ draft, put, row: { name }, announce }: CellProps & Readonly<{ announce: (text: string) => void }>) {
  const { t } = useTranslation()
  const box = useRef<HTMLSpanElement>(null)
  const { order } = draft
  const index = order.indexOf(name)
  if (name === AUTO) return null
  const move = (next: number) => put({ ...draft, order: movedTo(order, name, next) })
  const step = (next: number, arrow: HTMLElement) =>
    focusAfter(
      () => {
        move(next)
        announce(t('groupEditor.place', { group: name, n: next + 1, count: order.length }))
      },
      () => arrow.matches(':enabled') && arrow,
      () => box.current?.querySelector('button:enabled'),
    )
  return (
    <span ref={box} className="group-editor-order">
      <Checkbox
        className="group-editor-switch"
        aria-label={t('groupEditor.inOrder', { group: name })}
        checked={index >= 0}
        onChange={() => move(index < 0 ? order.length : -1)}
      />
      {index >= 0 && (
        <>
          <span className="tabular">{index + 1}</span>
          <Button
            variant="minimal"
            size="small"
            icon={<ChevronUp />}
            aria-label={t('groupEditor.up', { group: name })}
            disabled={index === 0}
            onClick={({ currentTarget }) => step(index - 1, currentTarget)}
          />
          <Button
            variant="minimal"
            size="small"
            icon={<ChevronDown />}
            aria-label={t('groupEditor.down', { group: name })}
            disabled={index === order.length - 1}
            onClick={({ currentTarget }) => step(index + 1, currentTarget)}
          />
        </>
      )}
    </span>
  )
}

function Usage({ text }: { text: string | undefined }) {
  const { t } = useTranslation()
  if (text === undefined) return <span className={Classes.TEXT_MUTED}>—</span>
  if (text === '') return <span className={Classes.TEXT_MUTED}>{t('groupEditor.unused')}</span>
  return <span className="price-editor-cost">{text}</span>
}
