export const tasks = {
  'tasks.copyId': 'Copy task ID',
  'tasks.viewImage': 'View the image of {id}',
  'tasks.imageOf': 'Image of the drawing {id}',
  'tasks.openImage': 'Open in a new tab',
  'tasks.openVideo': 'Open the video',
  'tasks.openVideoOf': 'Open video {n}',
  'tasks.videoAlone': 'No still image is available for this video.',
  'tasks.imageFailed': 'The image could not be loaded.',
  'tasks.detail': 'Task details',
  'tasks.callbacksOff':
    'Midjourney callbacks are turned off. Some results may not arrive. Turn them on under System settings › Operation › Drawing.',
  'tasks.noMatch': 'No matching tasks',
  'tasks.noDrawings': 'No drawings in this period',
  'tasks.noDrawingsHint': 'What clients draw through Midjourney is listed here, with its progress and its image.',
  'tasks.noTasks': 'No tasks in this period',
  'tasks.noTasksHint': 'What clients have Suno make is listed here, with its progress and its result.',
}
