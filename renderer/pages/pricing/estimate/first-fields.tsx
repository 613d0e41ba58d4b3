import { FormGroup, InputGroup } from '@blueprintjs/core'
import { useId } from 'react'
import { model as modelCalls } from '../../../../shared/api/model.ts'
import { role } from '../../../../shared/enums.ts'
import { useUser } from '../../../api/session.ts'
import { useCall } from '../../../api/use-call.ts'
import { useGroupName } from '../../../components/group-name.ts'
import { useTranslation } from '../../../translation.ts'
import type { Prices } from '../use-prices.ts'
import { Choice } from './choice.tsx'
import { type EstimateForm, NumberInput } from './number-input.tsx'

type FirstFieldsProps = Readonly<{ form: EstimateForm; prices: Prices }>

export function FirstFields({ form, prices }: FirstFieldsProps) {
  const { t } = useTranslation()
  const isAdmin = (useUser()?.role ?? role.visitor) >= role.admin
  return (
    <div className="estimate-fields">
      <ModelField form={form} models={prices.models.map(({ model_name }) => model_name)} />
      {isAdmin ? <AnyGroup form={form} /> : <OwnGroup form={form} prices={prices} />}
      <NumberInput form={form} name="prompt_tokens" label={t('estimate.prompt')} />
      <NumberInput form={form} name="completion_tokens" label={t('estimate.completion')} />
      <NumberInput form={form} name="requests" label={t('estimate.requests')} />
    </div>
  )
}

/** Any name is accepted; listed models are suggested. */
function ModelField({
  form: { draft, change, problems },
  models,
}: Readonly<{ form: EstimateForm; models: readonly string[] }>) {
  const { t } = useTranslation()
  const id = useId()
  const isMissing = problems.has('model')
  const intent = isMissing ? 'danger' : 'none'
  return (
    <FormGroup
      className="estimate-wide"
      label={t('label.model')}
      labelFor={id}
      intent={intent}
      helperText={isMissing && <span id={`${id}-note`}>{t('estimate.modelNeeded')}</span>}
    >
      <InputGroup
        id={id}
        fill
        autoFocus={draft.model === ''}
        autoComplete="off"
        spellCheck={false}
        list={`${id}-list`}
        intent={intent}
        value={draft.model}
        onValueChange={(model) => change({ model })}
        aria-invalid={isMissing}
        aria-describedby={isMissing ? `${id}-note` : undefined}
      />
      <datalist id={`${id}-list`}>
        {models.map((model) => (
          <option key={model} value={model} />
        ))}
      </datalist>
    </FormGroup>
  )
}

function OwnGroup({ form: { draft, change }, prices }: FirstFieldsProps) {
  const { t } = useTranslation()
  const nameOf = useGroupName()
  const names = Object.keys(prices.facts.usable_group)
  return (
    <Choice
      label={t('label.group')}
      value={draft.group}
      options={names.map((value) => ({ value, label: value === AUTO ? t('estimate.autoGroup') : nameOf(value) }))}
      onValue={(group) => change({ group })}
    />
  )
}

/** All groups, and the group of the user to estimate for; administrators only. */
function AnyGroup({ form: { draft, change } }: { form: EstimateForm }) {
  const { t } = useTranslation()
  const nameOf = useGroupName()
  const { data = [] } = useCall(modelCalls.groups, {}, { quiet: true })
  const isKnown = data.includes(draft.group) || draft.group === AUTO
  const names = isKnown ? data : [draft.group, ...data]
  const groups = names.filter((name) => name !== AUTO).map((value) => ({ value, label: nameOf(value) }))
  return (
    <>
      <Choice
        label={t('label.group')}
        value={draft.group}
        options={[...groups, { value: AUTO, label: t('estimate.autoGroup') }]}
        onValue={(group) => change({ group })}
      />
      <Choice
        label={t('estimate.userGroup')}
        hint={t('estimate.userGroupHint')}
        value={draft.userGroup}
        options={[{ value: '', label: t('estimate.userGroupOwn') }, ...groups]}
        onValue={(userGroup) => change({ userGroup })}
      />
    </>
  )
}

const AUTO = 'auto'
