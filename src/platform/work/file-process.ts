import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { inParts } from './in-parts.ts'
import { openSentError, type SentError } from '../http/sent-errors.ts'

/** Messages to a process: a file in parts, what is asked of it, and a request for each further value. */
export type ToFileProcess = Uint8Array | { asked: unknown } | 'next'
export type FromFileProcess = { value: unknown } | { error: SentError } | 'end'

type Options = {
  /** Of one file, the start of a process included. */
  deadlineMs: number
  /** The heap of a process. */
  maxHeapMb?: number
}

/** An idle process ends after this time, to return its memory. */
const IDLE_MS = 10_000

/** The process ended within a file: it took too long, or too much memory, or made a library crash. */
export class FileProcessEnded extends Error {
  override name = 'FileProcessEnded'
  readonly isLate: boolean
  constructor(isLate: boolean) {
    super(isLate ? 'the file takes too long to read' : 'the process that read the file ended')
    this.isLate = isLate
  }
}

/**
 * Processes that read files of strangers, one file at a time each. A file that takes too long, or too much memory, ends its process
 * alone; a thread would end with all others, since V8 aborts when a heap is full. They start on demand, have the priority of
 * the calling thread and none of the settings, and end with it, when their channel closes.
 */
export class FileProcesses<Asked, Value> {
  readonly #file: string
  readonly #options: Options
  readonly #idle = new Map<ChildProcess, NodeJS.Timeout>()
  readonly #ended = new Set<Promise<void>>()

  /** @param file a module that calls `answerFiles` */
  constructor(file: URL, options: Options) {
    this.#file = fileURLToPath(file)
    this.#options = options
  }

  /**
   * Passes a file to a process and yields the values that it makes of it. Each is asked for, so that the thread has a turn between two.
   * The caller bounds how many run at once.
   * @throws FileProcessEnded; the error of the module
   */
  async *read(bytes: Buffer, asked: Asked): AsyncGenerator<Value, void> {
    const child = this.#take()
    let isLate = false
    const kill = () => child.kill('SIGKILL')
    const timer = setTimeout(() => {
      isLate = true
      kill()
    }, this.#options.deadlineMs)
    const answers = new Answers(child)
    let isFinished = false
    try {
      for await (const part of inParts(bytes)) answers.post(part)
      answers.post({ asked })
      for (;;) {
        const answer = await answers.next()
        if (answer === null) throw new FileProcessEnded(isLate)
        isFinished = answer === 'end' || 'error' in answer
        if (answer === 'end') return
        if ('error' in answer) throw openSentError(answer.error)
        yield answer.value as Value
        answers.post('next')
      }
    } finally {
      clearTimeout(timer)
      answers.close()
      if (isFinished) this.#keep(child)
      else kill()
    }
  }

  /** Ends idle processes. The calling thread must not end before them, since the system would keep their entries. */
  async close(): Promise<void> {
    for (const child of this.#idle.keys()) this.#end(child)
    await Promise.all(this.#ended)
  }

  #take(): ChildProcess {
    const [child] = this.#idle.keys()
    if (!child) return this.#start()
    clearTimeout(this.#idle.get(child))
    this.#idle.delete(child)
    return child
  }

  #keep(child: ChildProcess): void {
    this.#idle.set(child, setTimeout(() => this.#end(child), IDLE_MS).unref())
    // The calling process may end before an idle one.
    child.unref()
    child.channel?.unref()
  }

  #start(): ChildProcess {
    const { maxHeapMb } = this.#options
    const execArgv = maxHeapMb === undefined ? [] : [`--max-old-space-size=${maxHeapMb}`]
    const options = { serialization: 'advanced', env: {}, execArgv, stdio: 'ignore' } as const
    const child = fork(this.#file, options)
    const ended = new Promise<void>((resolve) => {
      // The reader of the file receives the end; without a listener an error would end the calling thread.
      child.on('error', () => resolve())
      child.once('exit', () => {
        clearTimeout(this.#idle.get(child))
        this.#idle.delete(child)
        resolve()
      })
    })
    this.#ended.add(ended)
    void ended.then(() => this.#ended.delete(ended))
    return child
  }

  #end(child: ChildProcess): void {
    clearTimeout(this.#idle.get(child))
    this.#idle.delete(child)
    child.ref()
    child.kill()
  }
}

/** The answers of a process to one file. */
class Answers {
  readonly #child: ChildProcess
  #answer = Promise.withResolvers<FromFileProcess | null>()

  constructor(child: ChildProcess) {
    this.#child = child
    child.on('message', this.#onMessage)
    child.on('exit', this.#onEnd)
    child.on('error', this.#onError)
    this.#answer.promise.catch(() => {})
    child.ref()
    child.channel?.ref()
  }

  post(message: ToFileProcess): void {
    this.#child.send(message, (error) => error && this.#onEnd())
  }

  /** Null when the process has ended. @throws the error of a process that could not start */
  async next(): Promise<FromFileProcess | null> {
    const answer = await this.#answer.promise
    if (answer !== null) this.#answer = Promise.withResolvers()
    return answer
  }

  close(): void {
    this.#child.off('message', this.#onMessage)
    this.#child.off('exit', this.#onEnd)
    this.#child.off('error', this.#onError)
  }

  readonly #onMessage = (message: FromFileProcess) => this.#answer.resolve(message)
  readonly #onEnd = () => this.#answer.resolve(null)
  readonly #onError = (error: Error) => {
    if (this.#child.pid === undefined) this.#answer.reject(error)
    else this.#onEnd()
  }
}
