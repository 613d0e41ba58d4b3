import { Button, Card, H2, Menu, MenuItem } from '@blueprintjs/core'
import { CaretDown } from '@blueprintjs/icons'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { type PanelName, panels, type TabName } from '../../../shared/options/panels.ts'
import { Popover } from '../../components/popover/popover.tsx'
import { useTight } from '../../components/use-narrow.ts'
import type { TextKey } from '../../i18n.ts'
import { useTranslation } from '../../translation.ts'
import { OptionPanel } from './option-panel.tsx'
import { otherSections, settingPanels } from './panels.tsx'
import { sectionOf, useCurrentSection } from './use-current-section.ts'

type Section = Readonly<{ name: string; title: TextKey; inside: ReactNode }>

/** All sections of a tab in order. Several of them get an index, at the side if it fits. */
export function SectionList({ tab }: { tab: TabName }) {
  const isTight = useTight()
  const sections = sectionsOf(tab)
  const isLong = sections.length > 1
  return (
    <div className="setting-tab">
      {isLong && isTight && <SectionChoice sections={sections} />}
      {isLong && !isTight && <SectionIndex sections={sections} />}
      <div className="setting-sections">
        {sections.map((section) => (
          <SectionCard key={section.name} {...section} />
        ))}
      </div>
    </div>
  )
}

function SectionCard({ name, title, inside }: Section) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <section className="setting-section" data-section={name} aria-labelledby={id}>
      <Card className="setting-card">
        <H2 id={id} className="setting-heading" tabIndex={-1}>
          {t(title)}
        </H2>
        {inside}
      </Card>
    </section>
  )
}

type SectionsProps = Readonly<{ sections: readonly Section[] }>

/** Scrolls to a section and focuses its heading. */
function goTo(name: string): void {
  const section = sectionOf(name)
  section?.scrollIntoView({ block: 'start' })
  section?.querySelector<HTMLElement>('.setting-heading')?.focus({ preventScroll: true })
}

/** The index as a menu above the sections, for narrow windows. */
function SectionChoice({ sections }: SectionsProps) {
  const { t } = useTranslation()
  return (
    <div>
      <Popover isMenu placement="bottom-start" content={<SectionMenu sections={sections} />}>
        <Button endIcon={<CaretDown />} text={t('settings.goTo')} />
      </Popover>
    </div>
  )
}

/** Navigates after the menu has closed, because closing returns the focus to its button. */
function SectionMenu({ sections }: SectionsProps) {
  const { t } = useTranslation()
  const chosen = useRef<string>(undefined)
  useEffect(
    () => () => {
      if (chosen.current !== undefined) goTo(chosen.current)
    },
    [],
  )
  const choose = (name: string) => {
    chosen.current = name
  }
  return (
    <Menu aria-label={t('settings.onTab')}>
      {sections.map(({ name, title }) => (
        <MenuItem key={name} text={t(title)} onClick={() => choose(name)} />
      ))}
    </Menu>
  )
}

/** The index next to the sections on large windows; marks the visible section. */
function SectionIndex({ sections }: SectionsProps) {
  const { t } = useTranslation()
  const current = useCurrentSection(sections.map(({ name }) => name))
  return (
    <nav className="setting-index" aria-label={t('settings.onTab')}>
      {sections.map(({ name, title }) => (
        <Button
          key={name}
          variant="minimal"
          size="small"
          alignText="start"
          fill
          text={t(title)}
          aria-current={name === current || undefined}
          onClick={() => goTo(name)}
        />
      ))}
    </nav>
  )
}

function sectionsOf(tab: TabName): readonly Section[] {
  const tools = otherSections.filter((one) => one.tab === tab)
  const othersBefore = (panel: PanelName | undefined) =>
    tools
      .filter(({ before }) => before === panel)
      .map(({ name, title, Inside }): Section => ({ name, title, inside: <Inside /> }))
  const withPanels = panels
    .filter((panel) => panel.startsWith(`${tab}/`))
    .flatMap((panel) => [...othersBefore(panel), panelSection(panel)])
  return [...withPanels, ...othersBefore(undefined)]
}

function panelSection(panel: PanelName): Section {
  const Panel = settingPanels[panel] ?? OptionPanel
  const inside = (
    <>
      <Panel panel={panel} />
    </>
  )
  return { name: panel, title: `panel.${panel}`, inside }
}
