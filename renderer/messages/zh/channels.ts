export { channel } from './channel.ts'
export { channelEditor } from './channel-editor.ts'
export { channelList } from './channel-list.ts'
export { localModels } from './local-models.ts'
