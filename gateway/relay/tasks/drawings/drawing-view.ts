import { parsed } from '../../../base/json/json.ts'
import type { DrawingRow } from '../../../store/schema/schema-tasks.ts'
import type { ImageLinks } from '../image-links.ts'

/** Returns a drawing in the form that clients of Midjourney proxies know. */
export const drawingTold = (row: DrawingRow, links: ImageLinks) => ({
  ...videosTold(links.videoUrls(row)),
  id: row.mj_id,
  action: row.action,
  customId: '',
  botType: '',
  prompt: row.prompt,
  promptEn: row.prompt_en,
  description: row.description,
  state: row.state,
  submitTime: row.submit_time,
  startTime: row.start_time,
  finishTime: row.finish_time,
  imageUrl: linkTo(row, links),
  status: row.status,
  progress: row.progress,
  failReason: row.fail_reason,
  buttons: parsed(row.buttons) ?? [],
  maskBase64: '',
  properties: parsed(row.properties) ?? { finalPrompt: '', finalZhPrompt: '' },
})

/** The members of a drawing with videos, named as Midjourney proxies do. */
export const videosTold = ([first, ...more]: readonly string[]) =>
  first === undefined ? {} : { videoUrl: first, videoUrls: [first, ...more].map((url) => ({ url })) }

/** While a drawing is in progress, the image behind its link changes and must not be cached. */
function linkTo(row: DrawingRow, links: ImageLinks): string {
  const url = links.imageUrl(row)
  return row.progress === '100%' || url === '' || url === row.image_url
    ? url
    : `${url}&rand=${encodeURIComponent(row.progress)}`
}
