import * as z from 'zod/mini'
import { SETTINGS_FILE } from '../../../../shared/api/option-file.ts'
import { parsed } from '../../../../shared/json.ts'
import type { TextKey } from '../../../i18n.ts'

/** A parsed settings file; the gateway validates its contents. */
export type ChosenFile = z.output<typeof shape>

const shape = z.object({
  product: z.string(),
  version: z.number(),
  options: z.record(z.string(), z.unknown()),
})

/** Maximum size of a settings file, as in the gateway. */
const MAX_BYTES = 4 * 1024 * 1024

/** Reads a settings file; returns a problem if it is not one. */
export async function readSettingsFile(file: File): Promise<ChosenFile | { problem: TextKey }> {
  if (file.size > MAX_BYTES) return { problem: 'settingsFile.tooLarge' }
  const read = parsed(await file.text())
  if (read === undefined) return { problem: 'settingsFile.noJson' }
  const { data } = shape.safeParse(read)
  return data ?? { problem: 'option.file_foreign' }
}

export const fileNameAt = (date: Date): string =>
  `${SETTINGS_FILE.product.toLowerCase()}-settings-${[date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')}.json`
