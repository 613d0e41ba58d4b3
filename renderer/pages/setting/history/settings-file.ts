import * as z from 'zod/mini'
import { SETTINGS_FILE } from '../../../../shared/api/option-file.ts'
import { parsed } from '../../../../shared/json.ts'
import type { TextKey } from '../../../i18n.ts'

/** A file of settings as somebody chose it; the gateway looks at its contents. */
export type ChosenFile = z.output<typeof shape>

const shape = z.object({
  product: z.string(),
  version: z.number(),
  options: z.record(z.string(), z.unknown()),
})

/** The gateway takes no more. */
const MAX_BYTES = 4 * 1024 * 1024

/** Reads a file that somebody chose; what is no file of settings is told as a text. */
export async function readSettingsFile(file: File): Promise<ChosenFile | { problem: TextKey }> {
  if (file.size > MAX_BYTES) return { problem: 'settingsFile.tooLarge' }
  const read = parsed(await file.text())
  if (read === undefined) return { problem: 'settingsFile.noJson' }
  const { data } = shape.safeParse(read)
  return data ?? { problem: 'option.file_foreign' }
}

/** What a file of settings is called that is written today. */
export const fileNameAt = (date: Date): string =>
  `${SETTINGS_FILE.product.toLowerCase()}-settings-${[date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')}.json`
