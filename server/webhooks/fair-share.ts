// Shares slots between owners: an owner may hold as many as are still free. If n owners take all they can get, each
// holds 1/(n+1) of the slots, and as many stay free for other owners.

export class FairShare {
  readonly #size: number
  readonly #held = new Map<string, number>()
  #taken = 0

  constructor(size: number) {
    this.#size = size
  }

  get free(): number {
    return this.#size - this.#taken
  }

  get owners(): { owner_id: string; count: number }[] {
    return [...this.#held].map(([owner_id, count]) => ({ owner_id, count }))
  }

  held(owner_id: string): number {
    return this.#held.get(owner_id) ?? 0
  }

  mayTake(owner_id: string): boolean {
    return this.held(owner_id) < this.free
  }

  take(owner_id: string): void {
    this.#taken += 1
    this.#held.set(owner_id, this.held(owner_id) + 1)
  }

  release(owner_id: string): void {
    this.#taken -= 1
    const left = this.held(owner_id) - 1
    if (left > 0) this.#held.set(owner_id, left)
    else this.#held.delete(owner_id)
  }
}
