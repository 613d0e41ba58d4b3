import '../tools/tools.css'
import { Button, FormGroup, InputGroup, Tag } from '@blueprintjs/core'
import { type KeyboardEvent, type RefObject, useId, useRef, useState } from 'react'
import { labelOf, optionsIn } from '../../../../shared/options/index.ts'
import { domainsOf, isMailDomain } from '../../../../shared/options/lists.ts'
import type { PanelName } from '../../../../shared/options/panels.ts'
import { focusAfter } from '../../../components/focus-after.ts'
import { useTypedText } from '../../../components/form/typed-text.ts'
import { crossesIn, pressCross, useNamedCrosses } from '../../../components/tag-list-input/tag-crosses.ts'
import { showSuccess } from '../../../components/toasts.ts'
import { useTranslation } from '../../../translation.ts'
import { OptionControl } from '../form/option-control.tsx'
import { OptionMarks, useMarks } from '../form/option-marks.tsx'
import { PanelForm } from '../form/panel-form.tsx'
import { type BoundOption, useOptionForm } from '../form/use-option-form.ts'

const LIST = 'EmailDomainWhitelist'
/** Shown with the error of an invalid domain. */
const EXAMPLE = 'example.com'

/** Mail domains allowed to register: two switches, and the domains, added one by one and saved together. */
export function WhitelistPanel({ panel }: { panel: PanelName }) {
  const form = useOptionForm(optionsIn(panel))
  return (
    <PanelForm form={form} panel={panel}>
      {form.keys.map((key) =>
        key === LIST ? <Domains key={key} {...form.bind(key)} /> : <OptionControl key={key} {...form.bind(key)} />,
      )}
    </PanelForm>
  )
}

function Domains({ option, value, onValue, error, onReset }: BoundOption) {
  const { t } = useTranslation()
  const id = useId()
  const { hasText } = useMarks(option)
  const domains = domainsOf(value)
  const list = useRef<HTMLUListElement>(null)
  const box = useRef<HTMLInputElement>(null)
  useNamedCrosses(list, domains)
  const write = (names: readonly string[]) => onValue(names.join(','))
  const remove = (index: number) =>
    focusAfter(
      () => write(domains.toSpliced(index, 1)),
      () => crossesIn(list)[index],
      () => box.current,
    )
  return (
    <div className="setting-field setting-field-wide" data-option={option}>
      <div id={id} className="setting-domains-label">
        {t(labelOf(option))}
      </div>
      <ul
        ref={list}
        className="setting-domains"
        aria-labelledby={id}
        aria-describedby={hasText ? `${id}-marks` : undefined}
        onKeyDownCapture={pressCross}
        onKeyUpCapture={pressCross}
      >
        {domains.map((domain, index) => (
          <li key={domain}>
            <Tag minimal size="large" onRemove={() => remove(index)}>
              {domain}
            </Tag>
          </li>
        ))}
      </ul>
      <AddDomain domains={domains} inputRef={box} refusal={error} onAdd={(domain) => write([...domains, domain])} />
      <OptionMarks id={`${id}-marks`} option={option} {...(onReset && { onReset })} />
    </div>
  )
}

type AddDomainProps = Readonly<{
  domains: readonly string[]
  inputRef: RefObject<HTMLInputElement | null>
  refusal: string | undefined
  onAdd: (domain: string) => void
}>

function AddDomain({ domains, inputRef, refusal, onAdd }: AddDomainProps) {
  const { t } = useTranslation()
  const id = useId()
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string>()
  const note = problem ?? refusal
  const add = () => {
    const domain = typed.trim().toLowerCase()
    if (!isMailDomain(domain)) return setProblem(t('option.domain_bad', { host: EXAMPLE }))
    if (domains.includes(domain)) return setProblem(t('option.domain_dup'))
    onAdd(domain)
    setTyped('')
    setProblem(undefined)
    showSuccess(t('option.domain_ok'))
  }
  useTypedText(typed, () => {
    if (typed.trim() !== '') add()
  })
  const addByEnter = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, nativeEvent } = event
    if (key !== 'Enter' || ctrlKey || metaKey || nativeEvent.isComposing) return
    // Does not submit the form.
    event.preventDefault()
    add()
  }
  return (
    <div className="setting-domain-add">
      <FormGroup
        label={t('settings.domainAdd')}
        labelFor={id}
        intent={note ? 'danger' : 'none'}
        helperText={note && <span id={`${id}-note`}>{note}</span>}
      >
        <InputGroup
          id={id}
          inputRef={inputRef}
          fill
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder={EXAMPLE}
          intent={note ? 'danger' : 'none'}
          value={typed}
          onValueChange={(text) => {
            setTyped(text)
            setProblem(undefined)
          }}
          onKeyDown={addByEnter}
          aria-invalid={note !== undefined}
          aria-describedby={note && `${id}-note`}
        />
      </FormGroup>
      <Button text={t('label.add')} aria-label={t('settings.domainAdd')} onClick={add} />
    </div>
  )
}
