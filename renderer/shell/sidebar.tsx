import './sidebar.css'
import { Button } from '@blueprintjs/core'
import { DoubleChevronLeft, DoubleChevronRight } from '@blueprintjs/icons'
import { useIsFetching } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { SideMenu } from './side-menu.tsx'
import { useCollapsed, useMenu, warm } from './use-menu.ts'

/** The menu beside every working page, 200 pixels wide or 60 with icons alone (docs/reference/screens.md#shell). */
export default function Sidebar() {
  const { t } = useTranslation()
  const [isCollapsed, collapse] = useCollapsed()
  useWarmPages()
  return (
    <div className="sidebar" data-collapsed={isCollapsed}>
      <SideMenu isCollapsed={isCollapsed} />
      <Button
        className="sidebar-toggle"
        variant="minimal"
        alignText="start"
        icon={isCollapsed ? <DoubleChevronRight /> : <DoubleChevronLeft />}
        text={isCollapsed ? undefined : t('label.collapseSidebar')}
        aria-label={isCollapsed ? t('label.expandSidebar') : t('label.collapseSidebar')}
        aria-expanded={!isCollapsed}
        onClick={() => collapse(!isCollapsed)}
      />
    </div>
  )
}

/** Once the first page has what it asked for, fetches the code of the others, so that going there takes no waiting. */
function useWarmPages(): void {
  const groups = useMenu()
  const isBusy = useIsFetching() > 0
  useEffect(() => {
    if (isBusy) return
    const timer = setTimeout(() => groups.flat().forEach(warm), quietMs)
    return () => clearTimeout(timer)
  }, [groups, isBusy])
}

const quietMs = 1000
