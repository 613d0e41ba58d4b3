/**
 * Messages that the shell and the console share: why a program's file was not changed, and what happens to its sessions
 * (docs/reference/connect.md).
 */
export const setUp = {
  'setUp.broken': 'The file {path} is not valid ({detail}). Nothing was written. Correct it, then try again.',
  'setUp.encoding': 'The file {path} is not UTF-8 text. Nothing was written.',
  'setUp.notAFile': '{path} is not a file. Nothing was written.',
  'setUp.tooLarge': 'The file {path} is larger than 1 MB. Nothing was written.',
  'setUp.readOnly': 'The file {path} is read-only. Nothing was written.',
  'setUp.denied': 'The system denied access to {path} ({detail}). Nothing was written.',
  'setUp.danglingLink': '{path} is a link to a file that does not exist. Nothing was written.',
  'setUp.shape':
    'In {path} the setting has no place at “{detail}” without changing something else. Nothing was written.',
  'setUp.folder': 'The folder of the settings cannot be determined ({detail}). Nothing was written.',
  'setUp.disk': 'The file {path} could not be read or written ({detail}).',
  'setUp.platform': 'Where this program keeps its settings on {detail} is not known. Nothing was written.',
  'setUp.input': 'The program, the key or the model is not valid ({detail}). Nothing was written.',
  'setUp.sessions':
    '{program} remembers the provider of each thread. While Switchyard is set up, its lists may show only threads that were begun over Switchyard; no thread is deleted. Undo brings the others back, and leaves the provider “switchyard” without its key, so that threads begun over Switchyard still open: codex resume <id>',
  'setUp.providerStays': 'The provider “switchyard” stays without its key, so that threads begun over it still open.',
}
