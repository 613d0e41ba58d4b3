import { Callout, Classes, FormGroup, Radio, RadioGroup } from '@blueprintjs/core'
import { Document } from '@blueprintjs/icons'
import { useId, useState } from 'react'
import { type CatalogueComparison, catalogue } from '../../../../shared/api/catalogue.ts'
import { parsed } from '../../../../shared/json.ts'
import { isWebLink } from '../../../../shared/links.ts'
import { CallFailure } from '../../../api/call-failure.ts'
import { useSend } from '../../../api/use-call.ts'
import { FileButton } from '../../../components/file-button.tsx'
import { SideDrawer } from '../../../components/side-drawer/side-drawer.tsx'
import { TextField } from '../../../components/text-field/text-field.tsx'
import { useTranslation } from '../../../translation.ts'

type Source = 'bundled' | 'url' | 'file'
/** A file with its parsed JSON; undefined if it is not JSON. */
type Chosen = Readonly<{ name: string; json: unknown }>
type SourceFormProps = Readonly<{
  title: string
  onCompared: (comparison: CatalogueComparison) => void
  onClose: () => void
}>

const sources = ['bundled', 'url', 'file'] as const
/** Maximum size of a file, as in the gateway. */
const MAX_BYTES = 24 * 1024 * 1024

/** The catalogue's source. Errors are shown here; the input stays. */
export function SourceForm({ title, onCompared, onClose }: SourceFormProps) {
  const { t } = useTranslation()
  const [source, setSource] = useState<Source>('bundled')
  const [url, setUrl] = useState('')
  const [file, setFile] = useState<Chosen>()
  const [isChecked, setChecked] = useState(false)
  const { mutate, isPending, error, reset } = useSend(catalogue.compare, { quiet: true })
  const problem = problemOf(source, url, file)
  const submit = () => {
    setChecked(true)
    if (problem) return
    mutate({ body: bodyOf(source, url, file) }, { onSuccess: onCompared })
  }
  const change = (act: () => void) => {
    reset()
    act()
  }
  const note = isChecked && problem ? t(problem) : undefined
  return (
    <SideDrawer title={title} isBusy={isPending} verb={t('prices.compare')} onClose={onClose} onSubmit={submit}>
      <p>{t('prices.updateIntro')}</p>
      <RadioGroup
        label={t('prices.source')}
        selectedValue={source}
        onChange={({ currentTarget }) => change(() => setSource(sourceOf(currentTarget.value)))}
      >
        {sources.map((value) => (
          <Radio key={value} value={value} label={t(`prices.source.${value}`)} />
        ))}
      </RadioGroup>
      {source === 'url' && (
        <TextField
          label={t('prices.url')}
          type="url"
          autoComplete="off"
          placeholder="https://"
          value={url}
          onValue={(value) => change(() => setUrl(value))}
          error={note}
          hint={t('prices.urlHint')}
        />
      )}
      {source === 'file' && <FileField file={file} onFile={(next) => change(() => setFile(next))} error={note} />}
      {error instanceof CallFailure && (
        <Callout intent="danger" role="alert" className="catalogue-source-failed">
          {error.message}
        </Callout>
      )}
    </SideDrawer>
  )
}

type FileFieldProps = Readonly<{
  file: Chosen | undefined
  onFile: (file: Chosen) => void
  error: string | undefined
}>

function FileField({ file, onFile, error }: FileFieldProps) {
  const { t } = useTranslation()
  const id = useId()
  const read = async (chosen: File) => {
    const json = chosen.size > MAX_BYTES ? undefined : parsed(await chosen.text())
    onFile({ name: chosen.name, json })
  }
  return (
    <FormGroup
      label={t('prices.file')}
      labelFor={id}
      intent={error ? 'danger' : 'none'}
      helperText={<span id={`${id}-note`}>{error ?? t('prices.fileHint')}</span>}
    >
      <FileButton
        id={id}
        label={t('prices.file')}
        accept="application/json,.json"
        icon={<Document />}
        text={t('prices.fileChoose')}
        aria-describedby={`${id}-note`}
        aria-invalid={error !== undefined}
        onFile={(chosen) => void read(chosen)}
      />
      {file && <span className={`catalogue-source-file ${Classes.MONOSPACE_TEXT}`}>{file.name}</span>}
    </FormGroup>
  )
}

const sourceOf = (value: string): Source => sources.find((source) => source === value) ?? 'bundled'

function problemOf(source: Source, url: string, file: Chosen | undefined) {
  if (source === 'url') return isWebLink(url.trim()) ? undefined : 'prices.urlWrong'
  if (source === 'bundled') return undefined
  if (!file) return 'prices.fileMissing'
  return file.json === undefined ? 'prices.fileWrong' : undefined
}

function bodyOf(source: Source, url: string, file: Chosen | undefined) {
  if (source === 'url') return { source, url: url.trim() }
  return source === 'file' ? { source, file: file?.json } : { source }
}
