import type { Secrets } from '../../core/secrets.ts'

/**
 * The secrets of an installation whose former keys are in PostgreSQL: until it has answered, those of SECRET_KEY
 * alone. Callers ask for a key when they use it.
 */
export class LateSecrets implements Secrets {
  #current: Secrets

  constructor(first: Secrets) {
    this.#current = first
  }

  replace(complete: Secrets): void {
    this.#current = complete
  }

  readonly keyFor: Secrets['keyFor'] = (...key) => this.#current.keyFor(...key)
  readonly keyOfTime: Secrets['keyOfTime'] = (...key) => this.#current.keyOfTime(...key)
  readonly seal: Secrets['seal'] = (...text) => this.#current.seal(...text)
  readonly open: Secrets['open'] = (...sealed) => this.#current.open(...sealed)
  readonly openBytes: Secrets['openBytes'] = (...sealed) => this.#current.openBytes(...sealed)
}
