import './import.css'
import { Button, Callout, Checkbox, Classes } from '@blueprintjs/core'
import { DocumentOpen } from '@blueprintjs/icons'
import { type ReactNode, useId, useRef } from 'react'
import { Link } from 'react-router-dom'
import type { ImportItem } from '../../../../shared/api/option-file.ts'
import { role } from '../../../../shared/enums.ts'
import { useUser } from '../../../api/session.ts'
import { FoldSection } from '../../../components/side-drawer/fold-section.tsx'
import { Section } from '../../../components/side-drawer/section.tsx'
import { SideDrawer } from '../../../components/side-drawer/side-drawer.tsx'
import { showWarning } from '../../../components/toasts.ts'
import { useTranslation } from '../../../translation.ts'
import { type Import, useImport } from './use-import.ts'
import { useOptionName } from './use-option-name.ts'
import { ValueChange } from './value-change.tsx'

/**
 * Imports settings from a file: shows the effect on each, and applies the selected ones together. Mount it to open
 * it.
 */
export function ImportDrawer({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const work = useImport()
  const isRoot = useUser()?.role === role.root
  const input = useRef<HTMLInputElement>(null)
  const n = work.chosen.size
  const importing = t('settingsFile.importN', { n })
  const verb = work.items ? importing : t('settingsFile.choose')
  const submit = async () => {
    if (!work.items) return input.current?.click()
    if (n === 0) return showWarning(t('settingsFile.nothing'))
    if (await work.run()) onClose()
  }
  return (
    <SideDrawer
      title={t('settingsFile.importTitle')}
      isBusy={work.isBusy}
      width="min(760px, 94%)"
      verb={verb}
      onClose={onClose}
      onSubmit={() => void submit()}
    >
      <p>{t('settingsFile.hint')}</p>
      {isRoot && (
        <p>
          <Link className="import-other" to="/import">
            {t('page.import')}
          </Link>
        </p>
      )}
      <FileChoice work={work} input={input} />
      <div role="status" className="import-status">
        {work.problem && (
          <Callout compact intent="warning">
            {work.problem}
          </Callout>
        )}
      </div>
      {work.items && <Report items={work.items} work={work} />}
    </SideDrawer>
  )
}

type FileChoiceProps = Readonly<{ work: Import; input: React.RefObject<HTMLInputElement | null> }>

function FileChoice({ work, input }: FileChoiceProps) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <div className="import-file">
      <input
        ref={input}
        id={id}
        type="file"
        hidden
        accept="application/json,.json"
        aria-label={t('settingsFile.choose')}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          if (file) void work.read(file)
          // Reset, so that the same file can be chosen again after it was edited.
          currentTarget.value = ''
        }}
      />
      <Button
        icon={<DocumentOpen />}
        text={t(work.name ? 'settingsFile.chooseOther' : 'settingsFile.choose')}
        disabled={work.isBusy}
        onClick={() => input.current?.click()}
      />
      {work.name && <span className="import-name">{work.name}</span>}
    </div>
  )
}

/** The settings of the file, grouped by the effect on them. */
function Report({ items, work }: { items: readonly ImportItem[]; work: Import }) {
  const { t } = useTranslation()
  const nameOf = useOptionName()
  const of = (...outcomes: readonly ImportItem['outcome'][]) =>
    items.filter(({ outcome }) => outcomes.includes(outcome))
  const [changes, refused, passed] = [of('change'), of('refused'), of('unknown', 'secret', 'same')]
  const keys = changes.map(({ key }) => key)
  return (
    <>
      <Section title={t('settingsFile.changes', { n: changes.length })}>
        {changes.length === 0 && <p className={Classes.TEXT_MUTED}>{t('settingsFile.noChanges')}</p>}
        {changes.length > 1 && (
          <Checkbox
            checked={work.chosen.size === changes.length}
            indeterminate={work.chosen.size > 0 && work.chosen.size < changes.length}
            label={t('settingsFile.all')}
            onChange={(event) => work.choose(keys, event.currentTarget.checked)}
          />
        )}
        <ItemList>
          {changes.map(({ key, before, after, needs_choice }) => (
            <li key={key}>
              <Checkbox
                checked={work.chosen.has(key)}
                onChange={(event) => work.choose([key], event.currentTarget.checked)}
              >
                {nameOf(key)} <code className={Classes.TEXT_MUTED}>{key}</code>
                {needs_choice && <div className={Classes.TEXT_MUTED}>{t('settingsFile.needsChoice')}</div>}
              </Checkbox>
              <ValueChange option={key} before={before} after={after} />
            </li>
          ))}
        </ItemList>
      </Section>
      {refused.length > 0 && (
        <Section title={t('settingsFile.refused', { n: refused.length })}>
          <ItemList>
            {refused.map(({ key, why }) => (
              <li key={key}>
                {nameOf(key)} <code className={Classes.TEXT_MUTED}>{key}</code>
                <div>{why}</div>
              </li>
            ))}
          </ItemList>
        </Section>
      )}
      {passed.length > 0 && (
        <FoldSection title={t('settingsFile.passed', { n: passed.length })}>
          <ItemList>
            {passed.map(({ key, outcome }, index) => (
              // Names of unknown settings are truncated and may then be equal.
              // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
              <li key={index}>
                {nameOf(key)} <code className={Classes.TEXT_MUTED}>{key}</code>
                {isPassed(outcome) && <div className={Classes.TEXT_MUTED}>{t(passedFor[outcome])}</div>}
              </li>
            ))}
          </ItemList>
        </FoldSection>
      )}
    </>
  )
}

const ItemList = ({ children }: { children: ReactNode }) => (
  <ul className={`import-items ${Classes.LIST_UNSTYLED}`}>{children}</ul>
)

const passedFor = {
  same: 'settingsFile.same',
  unknown: 'settingsFile.unknown',
  secret: 'settingsFile.secret',
} as const
const isPassed = (outcome: string): outcome is keyof typeof passedFor => Object.hasOwn(passedFor, outcome)
