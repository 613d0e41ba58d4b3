import { Button } from '@blueprintjs/core'
import { DoubleChevronLeft, DoubleChevronRight } from '@blueprintjs/icons'
import { useTranslation } from '../translation.ts'
import { SideMenu } from './side-menu.tsx'
import { useCollapsed } from './use-menu.ts'

/** The menu next to every working page, 200 pixels wide, or 60 with icons only (docs/reference/screens.md#shell). */
export default function Sidebar() {
  const { t } = useTranslation()
  const [isCollapsed, collapse] = useCollapsed()
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
