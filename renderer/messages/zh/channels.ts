/** Texts of the channel page and its drawers: loaded as one file (renderer/i18n.ts). */
export { channel } from './channel.ts'
export { channelEditor } from './channel-editor.ts'
export { channelList } from './channel-list.ts'
export { localModels } from './local-models.ts'
