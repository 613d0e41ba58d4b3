import { between } from './kinds.ts'
import { option } from './option.ts'

/**
 * Least roles for moving files, kept for clients of the family that read and write them; no route of ours moves files
 * (docs/reference/options.md#areas).
 */
export const transfer = {
  FileUploadPermission: option({ ...between(0, 100), default: 0, panel: null }),
  FileDownloadPermission: option({ ...between(0, 100), default: 0, panel: null }),
  ImageUploadPermission: option({ ...between(0, 100), default: 0, panel: null }),
  ImageDownloadPermission: option({ ...between(0, 100), default: 0, panel: null }),
}
