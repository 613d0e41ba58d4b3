import { optionsIn } from '../../../shared/options/index.ts'
import type { PanelName } from '../../../shared/options/panels.ts'
import { PanelForm } from './form/panel-form.tsx'
import { useOptionForm } from './form/use-option-form.ts'

/** A generic panel: all its settings in order, and a save button. */
export function OptionPanel({ panel }: { panel: PanelName }) {
  return <PanelForm form={useOptionForm(optionsIn(panel))} panel={panel} />
}
