import '@blueprintjs/select/lib/css/blueprint-select.css'
import { FormGroup, MenuItem } from '@blueprintjs/core'
import { type ItemPredicate, type ItemRenderer, Suggest } from '@blueprintjs/select'
import { useId } from 'react'
import { Link } from 'react-router-dom'
import { role } from '../../../shared/enums.ts'
import { useUser } from '../../api/session.ts'
import { useTranslation } from '../../translation.ts'

type ModelFieldProps = Readonly<{
  label: string
  value: string
  models: readonly string[]
  onChange: (model: string) => void
}>

export function ModelField({ label, value, models, onChange }: ModelFieldProps) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <FormGroup label={label} labelFor={id} helperText={models.length === 0 && <NoModels />}>
      <Suggest<string>
        fill
        items={[...models]}
        selectedItem={value || null}
        onItemSelect={onChange}
        inputValueRenderer={(model) => model}
        itemRenderer={renderModel}
        itemPredicate={isMatch}
        noResults={<MenuItem disabled roleStructure="listoption" text={t('play.noSuchModel')} />}
        menuProps={{ 'aria-label': label, className: 'play-model-list' }}
        inputProps={{ id, placeholder: t('play.chooseModel') }}
        popoverProps={{ minimal: true, matchTargetWidth: true }}
      />
    </FormGroup>
  )
}

function NoModels() {
  const { t } = useTranslation()
  const isAdmin = (useUser()?.role ?? 0) >= role.admin
  if (!isAdmin) return t('play.noModels')
  return (
    <>
      {t('play.noModelsYet')} <Link to="/connect/provider">{t('page.connectProvider')}</Link>
    </>
  )
}

const isMatch: ItemPredicate<string> = (query, model) => model.toLowerCase().includes(query.trim().toLowerCase())

const renderModel: ItemRenderer<string> = (model, { handleClick, handleFocus, modifiers, ref }) =>
  modifiers.matchesPredicate ? (
    <MenuItem
      key={model}
      ref={ref}
      roleStructure="listoption"
      text={model}
      active={modifiers.active}
      disabled={modifiers.disabled}
      onClick={handleClick}
      onFocus={handleFocus}
    />
  ) : null
