import { Button, FormGroup, InputGroup } from '@blueprintjs/core'
import { ChevronDown, ChevronUp } from '@blueprintjs/icons'
import { type ReactNode, useId, useState } from 'react'
import { channel } from '../../../shared/api/channel.ts'
import { useCall } from '../../api/use-call.ts'
import { Form } from '../../components/form/form.tsx'
import { Select } from '../../components/select.tsx'
import { useTranslation } from '../../translation.ts'
import { countIn, type ExplainQuery, endpointNames, isEndpoint } from './explain-query.ts'
import { useGroupOptions, useTokenOptions } from './use-options.ts'

type ExplainFormProps = Readonly<{ query: ExplainQuery; onSubmit: (query: ExplainQuery) => void }>

/** The query in one line: model, group, token, endpoint; the prompt length is behind a button. */
export function ExplainForm({ query, onSubmit }: ExplainFormProps) {
  const { t } = useTranslation()
  const [known, setKnown] = useState(query)
  const [typed, setTyped] = useState(query)
  const [isChecked, setChecked] = useState(false)
  const [hasMore, setMore] = useState(query.promptTokens > 0)
  if (known !== query) {
    setKnown(query)
    setTyped(query)
  }
  const change = (part: Partial<ExplainQuery>) => setTyped({ ...typed, ...part })
  const submit = () => {
    setChecked(true)
    if (typed.model.trim() !== '') onSubmit(typed)
  }
  const isMissing = isChecked && typed.model.trim() === ''
  return (
    <Form className="explain-form" onSubmit={submit}>
      <ModelField value={typed.model} onValue={(model) => change({ model })} isMissing={isMissing} />
      <Choices typed={typed} onChange={change} />
      {hasMore && <PromptField value={typed.promptTokens} onValue={(promptTokens) => change({ promptTokens })} />}
      <div className="explain-form-buttons">
        <Button
          variant="minimal"
          text={t('explain.more')}
          endIcon={hasMore ? <ChevronUp /> : <ChevronDown />}
          aria-expanded={hasMore}
          onClick={() => setMore(!hasMore)}
        />
        <Button type="submit" intent="primary" text={t('explain.ask')} />
      </div>
    </Form>
  )
}

type ModelFieldProps = Readonly<{ value: string; onValue: (model: string) => void; isMissing: boolean }>

/** Any name is accepted; available models are suggested. */
function ModelField({ value, onValue, isMissing }: ModelFieldProps) {
  const { t } = useTranslation()
  const { data: models = [] } = useCall(channel.enabledModels, {}, { quiet: true })
  const id = useId()
  return (
    <FormGroup
      className="explain-form-model"
      label={t('label.model')}
      labelFor={id}
      intent={isMissing ? 'danger' : 'none'}
      helperText={isMissing && <span id={`${id}-note`}>{t('explain.modelNeeded')}</span>}
    >
      <InputGroup
        id={id}
        name="model"
        fill
        autoComplete="off"
        spellCheck={false}
        list={`${id}-list`}
        intent={isMissing ? 'danger' : 'none'}
        value={value}
        onValueChange={onValue}
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

type ChoicesProps = Readonly<{ typed: ExplainQuery; onChange: (part: Partial<ExplainQuery>) => void }>

function Choices({ typed, onChange }: ChoicesProps) {
  const { t } = useTranslation()
  const groups = useGroupOptions(typed)
  const tokens = useTokenOptions(typed)
  const endpoints = Object.entries(endpointNames).map(([value, key]) => ({ value, label: t(key) }))
  return (
    <>
      <Choice label={t('label.group')} value={typed.group} options={groups} onValue={(group) => onChange({ group })} />
      <Choice
        label={t('label.token')}
        value={String(typed.tokenId)}
        options={tokens}
        onValue={(id) => onChange({ tokenId: Number(id) })}
      />
      <Choice
        label={t('explain.endpoint')}
        value={typed.endpoint}
        options={endpoints}
        onValue={(endpoint) => isEndpoint(endpoint) && onChange({ endpoint })}
      />
    </>
  )
}

type ChoiceProps = Readonly<{
  label: ReactNode
  value: string
  options: readonly Readonly<{ value: string; label: string }>[]
  onValue: (value: string) => void
}>

function Choice({ label, value, options, onValue }: ChoiceProps) {
  const id = useId()
  return (
    <FormGroup label={label} labelFor={id}>
      <Select id={id} fill value={value} options={options} onChange={(event) => onValue(event.currentTarget.value)} />
    </FormGroup>
  )
}

/** For channels with a maximum prompt length; empty is 0, which is within every limit. */
function PromptField({ value, onValue }: Readonly<{ value: number; onValue: (value: number) => void }>) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <FormGroup label={t('explain.promptTokens')} labelFor={id}>
      <InputGroup
        id={id}
        fill
        inputMode="numeric"
        autoComplete="off"
        value={value === 0 ? '' : String(value)}
        onValueChange={(text) => onValue(countIn(text.replace(/\D/g, '')))}
      />
    </FormGroup>
  )
}
