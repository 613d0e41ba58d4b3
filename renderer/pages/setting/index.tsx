import './setting.css'
import { Card, Classes, Tab, Tabs } from '@blueprintjs/core'
import { Lock } from '@blueprintjs/icons'
import { useEffect, useRef, useState } from 'react'
import { type Location, useLocation, useSearchParams } from 'react-router-dom'
import { type TabName, tabs } from '../../../shared/options/panels.ts'
import { CallFailure } from '../../api/call-failure.ts'
import { BlankState } from '../../components/blank-state/blank-state.tsx'
import { FailedState } from '../../components/blank-state/failed-state.tsx'
import { LeavingGuard } from '../../components/leaving-guard/leaving-guard.tsx'
import { PageFrame } from '../../components/page-frame/page-frame.tsx'
import { reachableTab } from '../../components/reachable-tab.ts'
import { StaleNote } from '../../components/stale-note/stale-note.tsx'
import { useTabsName } from '../../components/use-tabs-name.ts'
import { PageLinks } from '../../shell/page-links.tsx'
import { useTranslation } from '../../translation.ts'
import { SettingActions } from './history/setting-actions.tsx'
import { SectionList } from './section-list.tsx'
import { SettingSearch } from './setting-search.tsx'
import { useFoundSetting } from './use-found-setting.ts'
import { useOptionStates } from './use-option-states.ts'
import { useOptionValues } from './use-option-values.ts'

/** The installation's settings in five tabs, generated from shared/options (docs/reference/screens.md#settings). */
export default function SettingPage() {
  const { t } = useTranslation()
  const { values, error, refetch, dataUpdatedAt } = useOptionValues()
  // Waits for the marks under the fields, to avoid a layout shift.
  const { isPending } = useOptionStates()
  const isReady = values !== undefined && !isPending
  return (
    <PageFrame title={t('label.systemSettings')} action={isReady && <SettingActions />}>
      <PageLinks on="/setting" />
      {isReady && <StaleNote loadedAt={dataUpdatedAt} error={error} onRetry={() => void refetch()} />}
      {isReady && <SettingTabs />}
      {!values && error && <Failed error={error} onRetry={() => void refetch()} />}
      {!isReady && !(error && !values) && <SettingSkeleton />}
      <LeavingGuard title={t('label.systemSettings')} scopeOf={scopeOf} findFocus={chosenTab} />
    </PageFrame>
  )
}

/** The search and the tabs. Input in a panel stays during a search. */
function SettingTabs() {
  const { t } = useTranslation()
  const [query, setQuery] = useSearchParams()
  const { key: visit } = useLocation()
  const tab = tabIn(query)
  const [wanted, look] = useSearchText()
  const isLooking = wanted.trim() !== ''
  useTabsName('setting', t('settings.tabs'))
  // On a phone the tab list scrolls: shows the chosen tab.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each tab again
  useEffect(() => {
    document.querySelector('.setting-tabs > [role=tablist] > [aria-selected=true]')?.scrollIntoView(intoSight)
  }, [tab])
  // Nothing can be focused while the search results replace the tabs.
  useFoundSetting(isLooking ? null : query.get('key'), visit)
  return (
    <>
      <SettingSearch query={wanted} onQuery={look} />
      <div hidden={isLooking}>
        <Tabs
          id="setting"
          className="setting-tabs"
          renderActiveTabPanelOnly
          selectedTabId={tab}
          onChange={(next) => setQuery({ tab: String(next) })}
        >
          {tabs.map((name) => (
            <Tab key={name} {...reachableTab} id={name} title={t(`tab.${name}`)} panel={<SectionList tab={name} />} />
          ))}
        </Tabs>
      </div>
    </>
  )
}

const scopeOf = ({ pathname, search }: Location): string => `${pathname} ${tabIn(new URLSearchParams(search))}`

const chosenTab = () => document.querySelector('.setting-tabs > [role=tablist] > [aria-selected=true]')

const intoSight = { block: 'nearest', inline: 'nearest' } as const

/** Why the settings could not be loaded, or that the user may not see them. */
function Failed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { t } = useTranslation()
  const isDenied = error instanceof CallFailure && error.kind === 'refused'
  return (
    <Card className="setting-blank">
      {isDenied ? (
        <BlankState icon={<Lock size={48} />} title={t('settings.denied')} description={t('settings.deniedHint')} />
      ) : (
        <FailedState message={error.message} onRetry={onRetry} />
      )}
    </Card>
  )
}

function SettingSkeleton() {
  const { t } = useTranslation()
  return (
    <Card className="setting-waiting" role="status" aria-label={t('state.loading')}>
      {['a', 'b', 'c', 'd', 'e', 'f'].map((line) => (
        <div key={line} className={Classes.SKELETON} />
      ))}
    </Card>
  )
}

/**
 * The search text, stored in `q` of the address next to the tab. The field updates at once and the address follows; if
 * the address changes for another reason, such as a link or history, the field follows it.
 */
function useSearchText(): [string, (text: string) => void] {
  const [query, setQuery] = useSearchParams()
  const wanted = query.get('q') ?? ''
  const [typed, setTyped] = useState(wanted)
  /** Values written to the address that it does not show yet. */
  const written = useRef<string[]>([])
  const { key: visit } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: two writes may arrive as one, changing only the address
  useEffect(() => {
    const index = written.current.lastIndexOf(wanted)
    if (index >= 0) written.current.splice(0, index + 1)
    else setTyped(wanted)
  }, [wanted, visit])
  const type = (text: string) => {
    setTyped(text)
    if (text === wanted && written.current.length === 0) return
    written.current.push(text)
    setQuery({ tab: tabIn(query), ...(text !== '' && { q: text }) }, { replace: true })
  }
  return [typed, type]
}

/** The tab named in an address, or the first one (docs/reference/screens.md#settings). */
function tabIn(query: URLSearchParams): TabName {
  const named = query.get('tab')
  return tabs.find((tab) => tab === named) ?? tabs[0]
}
