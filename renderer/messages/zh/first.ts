/** Texts of every first view: loaded as one file (renderer/i18n.ts). */
export { failure } from '../../../shared/messages/zh/failure.ts'
export { label } from '../../../shared/messages/zh/label.ts'
export { frame } from './frame.ts'
