import { Card, Classes, InputGroup } from '@blueprintjs/core'
import { Search } from '@blueprintjs/icons'
import { type KeyboardEvent, useRef } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { hintOf } from '../../../shared/options/hints.ts'
import { labelOf } from '../../../shared/options/index.ts'
import { focusAfter } from '../../components/focus-after.ts'
import { findSettings, type SettingEntry, settingAddress } from '../../components/setting-search/setting-index.ts'
import { useSettingIndex } from '../../components/setting-search/use-setting-index.ts'
import { useTranslation } from '../../translation.ts'

type SettingSearchProps = Readonly<{ query: string; onQuery: (query: string) => void }>

/** The search over all settings; its results replace the tabs. */
export function SettingSearch({ query, onQuery }: SettingSearchProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const box = useRef<HTMLElement>(null)
  const found = findSettings(useSettingIndex(), query)
  const isSearching = query.trim() !== ''
  const count = t('settings.found', { n: found.length })
  const clear = () =>
    focusAfter(
      () => onQuery(''),
      () => box.current?.querySelector('input'),
    )
  const press = (event: KeyboardEvent) => {
    const [first] = found
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && first) void navigate(settingAddress(first))
    else if (event.key === 'Escape') onQuery('')
    else if (event.key === 'ArrowDown') moveFocus(box.current, 1)
    else return
    event.preventDefault()
  }
  return (
    <search ref={box} className="setting-search">
      <InputGroup
        type="search"
        leftIcon={<Search />}
        placeholder={t('settings.search')}
        aria-label={t('settings.search')}
        autoComplete="off"
        spellCheck={false}
        value={query}
        onValueChange={onQuery}
        onKeyDown={press}
      />
      <div role="status" className={Classes.TEXT_MUTED}>
        {isSearching && (found.length === 0 ? t('palette.none') : count)}
      </div>
      {found.length > 0 && <Results found={found} onLeave={(by) => moveFocus(box.current, by)} onClear={clear} />}
    </search>
  )
}

type ResultsProps = Readonly<{
  found: readonly SettingEntry[]
  onLeave: (by: 1 | -1) => void
  onClear: () => void
}>

/** The results, each a link to its field. Arrow keys move between them and the search field; Escape ends the search. */
function Results({ found, onLeave, onClear }: ResultsProps) {
  const { t } = useTranslation()
  const press = (event: KeyboardEvent) => {
    if (!['ArrowDown', 'ArrowUp', 'Escape'].includes(event.key)) return
    event.preventDefault()
    if (event.key === 'Escape') onClear()
    else onLeave(event.key === 'ArrowDown' ? 1 : -1)
  }
  return (
    <Card className="setting-results">
      <ul aria-label={t('settings.results')}>
        {found.map((entry) => {
          const hint = hintOf(entry.key)
          return (
            <li key={entry.key}>
              <Link className="setting-result" to={settingAddress(entry)} onKeyDown={press}>
                <span className="setting-result-head">
                  <strong>{t(labelOf(entry.key))}</strong>
                  <span className={Classes.TEXT_MUTED}>
                    {t(`tab.${entry.tab}`)} › {t(`panel.${entry.panel}`)}
                  </span>
                  <code className={Classes.TEXT_MUTED}>{entry.key}</code>
                </span>
                {hint && <span className={Classes.TEXT_MUTED}>{t(hint)}</span>}
              </Link>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}

/** Moves the focus to the next or previous of the field and its results. */
function moveFocus(box: HTMLElement | null, by: 1 | -1): void {
  const stops = [...(box?.querySelectorAll<HTMLElement>('input, .setting-result') ?? [])]
  const index = document.activeElement instanceof HTMLElement ? stops.indexOf(document.activeElement) : -1
  stops[Math.max(0, index + by)]?.focus()
}
