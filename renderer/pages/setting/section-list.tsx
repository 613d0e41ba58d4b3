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

/** What stands on a tab under a heading of its own: a panel of settings, or a tool. */
type Section = Readonly<{ name: string; title: TextKey; inside: ReactNode }>

/** All sections of a tab in their order, and where there are several, a list of them to jump by: beside them where there is room. */
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

/** Brings a section into sight; its heading has the focus. */
function goTo(name: string): void {
  const section = sectionOf(name)
  section?.scrollIntoView({ block: 'start' })
  section?.querySelector<HTMLElement>('.setting-heading')?.focus({ preventScroll: true })
}

/** The sections above them, where there is no room beside: choosing one leads there. */
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

/** Leads to what was chosen once it is closed: by then it has given the focus back to its button. */
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

/** Names of the sections beside them, on a desk; a click leads there, and the one that is in sight is marked. */
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
  const others = otherSections.filter((one) => one.tab === tab)
  const othersBefore = (panel: PanelName | undefined) =>
    others
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
