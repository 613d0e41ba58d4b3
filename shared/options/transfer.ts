import { count } from './kinds.ts'
import { option } from './option.ts'

/** Least roles for moving files, kept for clients of the family that read and write them; no route of ours moves files (spec/console.md §5). */
export const transfer = {
  FileUploadPermission: option({ ...count, default: 0, panel: null }),
  FileDownloadPermission: option({ ...count, default: 0, panel: null }),
  ImageUploadPermission: option({ ...count, default: 0, panel: null }),
  ImageDownloadPermission: option({ ...count, default: 0, panel: null }),
}
