import '../price-editor.css'
import './group-editor.css'
import { Callout, Switch, Tab, Tabs } from '@blueprintjs/core'
import { useMemo, useRef, useState } from 'react'
import { type GroupUsage, model } from '../../../../../shared/api/model.ts'
import { hintOf } from '../../../../../shared/options/hints.ts'
import { labelOf } from '../../../../../shared/options/index.ts'
import { useUnsaved } from '../../../../api/unsaved.ts'
import { useCall } from '../../../../api/use-call.ts'
import { useLocalPage } from '../../../../api/use-local-page.ts'
import { reachableTab } from '../../../../components/reachable-tab.ts'
import { clearToasts, showWarning } from '../../../../components/toasts.ts'
import { useTabsName } from '../../../../components/use-tabs-name.ts'
import { useTranslation } from '../../../../translation.ts'
import type { OptionTexts } from '../option-texts.ts'
import { SaveBar } from '../save-bar.tsx'
import { StoredOptions, Waiting } from '../stored-options.tsx'
import { type Entries, editsBetween } from '../three-way.ts'
import { useLeadToWrong } from '../use-lead-to-wrong.ts'
import { AddGroup } from './add-group.tsx'
import { ExclusiveList } from './exclusive-list.tsx'
import { draftOf, entriesOf, type GroupDraft, isRight, ratioProblem, withGroup, withUsed } from './group-draft.ts'
import { type GroupEntry, groupWriter } from './group-entries.ts'
import { GroupJson } from './group-json.tsx'
import { GroupList } from './group-list.tsx'
import { useGroupSaving } from './use-group-saving.tsx'

/** The groups with their ratios, and as JSON (docs/reference/screens.md#groups). */
export function GroupPanel() {
  return <StoredOptions>{(texts) => <Editors texts={texts} />}</StoredOptions>
}

function Editors({ texts }: { texts: OptionTexts }) {
  const { t } = useTranslation()
  const usage = useGroupUsage()
  // Groups in use that are not stored would appear later and shift the others.
  if (usage.isLoading) return <Waiting />
  return (
    <>
      {usage.hasFailed && (
        <Callout compact intent="warning">
          {t('groupEditor.usageFailed')}
        </Callout>
      )}
      <EditorTabs texts={texts} usage={usage} />
    </>
  )
}

function EditorTabs({ texts, usage }: TableProps) {
  const { t } = useTranslation()
  useTabsName('groups', t('panel.operation/groups'))
  return (
    <Tabs id="groups" animate={false} className="price-editor-tabs">
      <Tab
        {...reachableTab}
        id="table"
        title={t('groupEditor.tabTable')}
        panel={<Table texts={texts} usage={usage} />}
      />
      <Tab
        {...reachableTab}
        id="json"
        title={t('groupEditor.tabJson')}
        panel={<GroupJson texts={texts} usageOf={usage.textOf} />}
      />
    </Tabs>
  )
}

type TableProps = Readonly<{ texts: OptionTexts; usage: ReturnType<typeof useGroupUsage> }>

function Table({ texts, usage }: TableProps) {
  const { t } = useTranslation()
  const box = useRef<HTMLDivElement>(null)
  const { draft, edits, put, clear } = useGroupDraft(texts)
  const { save, isBusy, dialogs } = useGroupSaving(usage.textOf, clear)
  const shown = withUsed(draft, usage.groups)
  const page = useLocalPage(shown.rows)
  const leadToWrong = useLeadToWrong(box)
  const turnTo = (row: number) => page.turnTo(Math.floor(row / page.size))
  const add = (name: string) => {
    const next = withGroup(shown, name)
    put(next)
    turnTo(next.rows.findIndex((row) => row.name === name))
  }
  const apply = () => {
    clearToasts()
    if (isRight(draft)) return save(edits)
    showWarning(t('option.check'))
    const wrong = shown.rows.findIndex(({ ratio }) => ratioProblem(ratio))
    if (wrong >= 0) turnTo(wrong)
    leadToWrong()
  }
  return (
    <div className="price-editor" ref={box}>
      <div data-option="GroupRatio">
        <GroupList draft={shown} put={put} page={page} usageOf={usage.textOf} />
      </div>
      <AddGroup draft={shown} onAdd={add} />
      <div data-option="DefaultUseAutoGroup">
        <Switch
          label={t(labelOf('DefaultUseAutoGroup'))}
          checked={draft.isDefault}
          onChange={({ currentTarget }) => put({ ...draft, isDefault: currentTarget.checked })}
        />
        <p className="group-editor-hint">{t(hintOf('DefaultUseAutoGroup') ?? labelOf('DefaultUseAutoGroup'))}</p>
      </div>
      <ExclusiveList draft={shown} put={put} />
      <SaveBar
        unsaved={edits.size}
        isBusy={isBusy}
        verb={t('label.save')}
        name={t('settings.saveOf', { panel: t('panel.operation/groups') })}
        onDiscard={clear}
        onApply={apply}
      />
      {dialogs}
    </div>
  )
}

/** Input over the groups as stored when editing began. */
function useGroupDraft(texts: OptionTexts) {
  const stored = useMemo(() => groupWriter.read(texts), [texts])
  const [typed, setTyped] = useState<Readonly<{ base: Entries<GroupEntry>; draft: GroupDraft }>>()
  const base = typed?.base ?? stored
  const draft = typed?.draft ?? draftOf(stored)
  const edits = editsBetween(base, entriesOf(draft, base))
  useUnsaved(edits.size > 0)
  return {
    draft,
    edits,
    put: (next: GroupDraft) => setTyped({ base, draft: next }),
    clear: () => setTyped(undefined),
  }
}

function useGroupUsage() {
  const { t } = useTranslation()
  const { data, error, isLoading } = useCall(model.groupUsage, {}, { quiet: true })
  /** Empty if nothing uses the group, undefined if unknown. */
  const textOf = (group: string): string | undefined => {
    if (!data) return undefined
    const usage = Object.hasOwn(data, group) ? data[group] : undefined
    const parts = kinds.flatMap(([kind, text]) => {
      const n = usage?.[kind] ?? 0
      return n === 0 ? [] : t(text, { n })
    })
    return parts.join(t('priceEditor.between'))
  }
  return { isLoading, groups: data ? Object.keys(data) : [], textOf, hasFailed: error !== null && !data }
}

const kinds = [
  ['channels', 'groupEditor.channels'],
  ['users', 'groupEditor.accounts'],
  ['tokens', 'groupEditor.tokens'],
] as const satisfies readonly (readonly [keyof GroupUsage, string])[]
