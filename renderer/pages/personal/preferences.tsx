import { Button, Classes, Switch, Tab, Tabs } from '@blueprintjs/core'
import { useId, useRef, useState } from 'react'
import type { UserView } from '../../../shared/api/user.ts'
import { useStatus } from '../../api/status.ts'
import { focusAfter } from '../../components/focus-after.ts'
import { Form } from '../../components/form/form.tsx'
import { reachableTab } from '../../components/reachable-tab.ts'
import { useTabsName } from '../../components/use-tabs-name.ts'
import { useTranslation } from '../../translation.ts'
import { NoticeFields } from './notice-fields.tsx'
import { PersonalSection } from './personal-section.tsx'
import { type PreferenceForm, usePreferences } from './use-preferences.ts'

/** The user's preferences: one form in several tabs, so that switching tabs loses nothing. */
export function Preferences({ account }: { account: UserView }) {
  const { t } = useTranslation()
  const box = useRef<HTMLDivElement>(null)
  const [tab, setTab] = useState('notice')
  const form = usePreferences(account)
  const { isDirty, isBusy, discard } = form
  const submit = async () => {
    const problems = await form.save()
    if (Object.keys(problems).length === 0) return
    // No other tab can have problems.
    setTab('notice')
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
  }
  return (
    <PersonalSection title={t('personal.settings')}>
      <div ref={box}>
        <Form isBusy={isBusy} isDirty={isDirty} onSubmit={() => void submit()}>
          <PreferenceTabs form={form} account={account} tab={tab} onTab={setTab} />
          <div className={isDirty ? 'personal-foot personal-foot-dirty' : 'personal-foot'}>
            <Button type="submit" intent={isDirty ? 'primary' : 'none'} text={t('personal.save')} loading={isBusy} />
            {isDirty && (
              <Button
                variant="minimal"
                text={t('personal.discard')}
                disabled={isBusy}
                onClick={() => focusAfter(discard, () => box.current?.querySelector('[type=submit]'))}
              />
            )}
            <span className={Classes.TEXT_MUTED} role="status">
              {isDirty && t('personal.unsaved')}
            </span>
          </div>
        </Form>
      </div>
    </PersonalSection>
  )
}

type PreferenceTabsProps = Readonly<{
  form: PreferenceForm
  account: UserView
  tab: string
  onTab: (tab: string) => void
}>

/** In self-use mode, models without a price are always accepted. */
function PreferenceTabs({ form, account, tab, onTab }: PreferenceTabsProps) {
  const { t } = useTranslation()
  const { self_use_mode_enabled: isAlone } = useStatus()
  useTabsName('personal', t('personal.settings'))
  const { now, change } = form
  const price = (
    <Flag
      label={t('personal.unpriced')}
      hint={t('personal.unpricedHint')}
      isOn={now.accept_unset_model_ratio_model}
      onTurn={(isOn) => change({ accept_unset_model_ratio_model: isOn })}
    />
  )
  const privacy = (
    <Flag
      label={t('personal.recordIp')}
      hint={t('personal.recordIpHint')}
      isOn={now.record_ip_log}
      onTurn={(isOn) => change({ record_ip_log: isOn })}
    />
  )
  const notice = <NoticeFields form={form} email={account.email} />
  return (
    <Tabs
      id="personal"
      className="personal-tabs"
      renderActiveTabPanelOnly
      selectedTabId={tab}
      onChange={(next) => onTab(String(next))}
    >
      <Tab {...reachableTab} id="notice" title={t('personal.tab.notice')} panel={notice} />
      {!isAlone && <Tab {...reachableTab} id="price" title={t('personal.tab.price')} panel={price} />}
      <Tab {...reachableTab} id="privacy" title={t('personal.tab.privacy')} panel={privacy} />
    </Tabs>
  )
}

type FlagProps = Readonly<{ label: string; hint: string; isOn: boolean; onTurn: (isOn: boolean) => void }>

function Flag({ label, hint, isOn, onTurn }: FlagProps) {
  const id = useId()
  return (
    <div className={`personal-flag ${Classes.FORM_GROUP}`}>
      <Switch
        label={label}
        checked={isOn}
        onChange={(event) => onTurn(event.currentTarget.checked)}
        aria-describedby={id}
      />
      <div id={id} className={Classes.FORM_HELPER_TEXT}>
        {hint}
      </div>
    </div>
  )
}
