import { useState, type DragEvent } from 'react'

/** Takes files that are dropped on an element, which gets `target`. */
export function useDrop(onFiles: (files: File[]) => unknown) {
  const [isOver, setOver] = useState(false)
  return {
    isOver,
    target: {
      onDragOver: (event: DragEvent) => {
        event.preventDefault()
        setOver(true)
      },
      onDragLeave: () => setOver(false),
      onDrop: (event: DragEvent) => {
        event.preventDefault()
        setOver(false)
        onFiles([...event.dataTransfer.files])
      },
    },
  }
}
