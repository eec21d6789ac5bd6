import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { openSentError, type FromFileProcess, type ToFileProcess } from './file-process-child.ts'
import { setImmediate } from 'node:timers/promises'

type Options = {
  deadlineMs: number
  maxHeapMb?: number
}

const IDLE_MS = 10_000

/** The file took too long or too much memory, or crashed a library. */
export class FileProcessEnded extends Error {
  override name = 'FileProcessEnded'
  readonly isLate: boolean
  constructor(isLate: boolean) {
    super(isLate ? 'the file takes too long to read' : 'the process that read the file ended')
    this.isLate = isLate
  }
}

/**
 * Processes for untrusted files. A file that takes too long or too much memory ends only its process; a thread would
 * take all others with it, since V8 aborts when a heap is full. Processes get no settings, and end with the calling
 * thread.
 */
export class FileProcesses<Request, Value> {
  readonly #file: string
  readonly #options: Options
  readonly #idle = new Map<ChildProcess, NodeJS.Timeout>()
  readonly #ended = new Set<Promise<void>>()

  constructor(file: URL, options: Options) {
    this.#file = fileURLToPath(file)
    this.#options = options
  }

  /**
   * Each value is made on request, so that this thread has a turn in between. The caller bounds how many run at once.
   * @throws FileProcessEnded; the error of the module
   */
  async *read(bytes: Buffer, request: Request): AsyncGenerator<Value, void> {
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
      answers.post({ request })
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

  /** The calling thread must outlive idle processes, or the system would keep their entries. */
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
    child.unref()
    child.channel?.unref()
  }

  #start(): ChildProcess {
    const { maxHeapMb } = this.#options
    const execArgv = maxHeapMb === undefined ? [] : [`--max-old-space-size=${maxHeapMb}`]
    const options = { serialization: 'advanced', env: {}, execArgv, stdio: 'ignore' } as const
    const child = fork(this.#file, options)
    const ended = new Promise<void>((resolve) => {
      // Without a listener an error would end the calling thread.
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

/** A multiple of three, so that the base64 texts of the parts can be joined. */
const PART_BYTES = 192 * 1024

/** Parts of `bytes`, with a turn of the event loop in between. */
async function* inParts(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += PART_BYTES) {
    yield bytes.subarray(at, at + PART_BYTES)
    await setImmediate()
  }
}
