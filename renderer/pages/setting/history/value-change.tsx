import './value-change.css'
import { Button, Classes, HTMLTable } from '@blueprintjs/core'
import { type ReactNode, useState } from 'react'
import { isOptionKey, options } from '../../../../shared/options/index.ts'
import { useTranslation } from '../../../translation.ts'
import { type Difference, differenceOf, type MemberChange } from './difference.ts'

type ValueChangeProps = Readonly<{
  option: string
  /** Both in stored form. */
  before: string
  after: string
  /** Headings of both sides; “Before” and “After” by default. */
  heads?: readonly [before: string, after: string]
}>

const shownAtFirst = 50

/**
 * Shows the difference between two values of a setting: the values, the members of an object, or the entries of a
 * list.
 */
export function ValueChange({ option, before, after, heads }: ValueChangeProps) {
  const { t } = useTranslation()
  const [one, other] = heads ?? [t('history.before'), t('history.after')]
  const difference = optionDifference(option, before, after)
  if (difference.kind === 'members') return <Members members={difference.members} heads={[one, other]} />
  if (difference.kind === 'entries') return <Entries difference={difference} heads={[one, other]} />
  return (
    <dl className="value-change">
      <Side head={one} value={before} option={option} />
      <Side head={other} value={after} option={option} />
    </dl>
  )
}

export function optionDifference(option: string, before: string, after: string): Difference {
  const isKnown = isOptionKey(option)
  return differenceOf(before, after, {
    isJson: isKnown && options[option].wire === 'json',
    ...(option === 'EmailDomainWhitelist' && { separator: ',' }),
  })
}

export function useValueText(): (option: string, value: string) => string {
  const { t } = useTranslation()
  return (option, value) => {
    if (isOptionKey(option) && options[option].wire === 'flag')
      return t(value === 'true' ? 'history.on' : 'history.off')
    return value === '' ? t('history.empty') : value
  }
}

function Side({ head, value, option }: { head: string; value: string; option: string }) {
  const text = useValueText()
  return (
    <div>
      <dt className={Classes.TEXT_MUTED}>{head}</dt>
      <dd>
        <Box label={head}>{text(option, value)}</Box>
      </dd>
    </div>
  )
}

/** A text of any length; a long one scrolls, also by keyboard. */
function Box({ label, children }: { label: string; children: string }) {
  const isLong = children.length > 600 || children.split('\n').length > 10
  const reach = isLong ? { tabIndex: 0, role: 'group', 'aria-label': label } : {}
  return (
    <div className="value-change-text" {...reach}>
      {children}
    </div>
  )
}

type Heads = readonly [string, string]

function Members({ members, heads }: { members: readonly MemberChange[]; heads: Heads }) {
  const { t } = useTranslation()
  const { shown, more } = useShown(members)
  if (members.length === 0) return <Nothing />
  return (
    <div className="value-change-members">
      <HTMLTable compact className="value-change-table">
        <thead>
          <tr>
            <th scope="col">{t('history.member')}</th>
            <th scope="col">{heads[0]}</th>
            <th scope="col">{heads[1]}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ path, before, after }) => (
            <tr key={JSON.stringify(path)}>
              <th scope="row">{path.map((name) => name || '""').join(' › ')}</th>
              <MemberCell value={before} />
              <MemberCell value={after} />
            </tr>
          ))}
        </tbody>
      </HTMLTable>
      {more}
    </div>
  )
}

function MemberCell({ value }: { value: string | undefined }) {
  const { t } = useTranslation()
  return value === undefined ? <td className={Classes.TEXT_MUTED}>{t('history.absent')}</td> : <td>{value}</td>
}

function Entries({ difference, heads }: { difference: Extract<Difference, { kind: 'entries' }>; heads: Heads }) {
  const { t } = useTranslation()
  const { removed, added, isReordered } = difference
  if (isReordered) return <p className={Classes.TEXT_MUTED}>{t('history.reordered')}</p>
  return (
    <dl className="value-change">
      <EntryList head={t('history.onlyIn', { side: heads[0] })} entries={removed} />
      <EntryList head={t('history.onlyIn', { side: heads[1] })} entries={added} />
    </dl>
  )
}

function EntryList({ head, entries }: { head: string; entries: readonly string[] }) {
  const { t } = useTranslation()
  const { shown, more } = useShown(entries)
  return (
    <div>
      <dt className={Classes.TEXT_MUTED}>{head}</dt>
      <dd>
        {entries.length === 0 ? (
          <span className={Classes.TEXT_MUTED}>{t('label.none')}</span>
        ) : (
          <ul className={`value-change-entries ${Classes.LIST_UNSTYLED}`}>
            {shown.map((entry, index) => (
              // Entries may repeat.
              // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
              <li key={index}>{entry || '""'}</li>
            ))}
          </ul>
        )}
        {more}
      </dd>
    </div>
  )
}

const Nothing = () => {
  const { t } = useTranslation()
  return <p className={Classes.TEXT_MUTED}>{t('history.same')}</p>
}

/** The first of many entries, and a button that shows the rest. */
function useShown<T>(all: readonly T[]): Readonly<{ shown: readonly T[]; more: ReactNode }> {
  const { t } = useTranslation()
  const [isAll, setAll] = useState(false)
  if (isAll || all.length <= shownAtFirst) return { shown: all, more: null }
  const rest = all.length - shownAtFirst
  const more = (
    <Button size="small" variant="minimal" text={t('history.more', { n: rest })} onClick={() => setAll(true)} />
  )
  return { shown: all.slice(0, shownAtFirst), more }
}
