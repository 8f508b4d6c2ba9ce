// A few channels have most of the traffic: the n-th has a share proportional to 1/n.
export function zipf(count: number): (fraction: number) => number {
  const ends: number[] = []
  let end = 0
  for (let n = 1; n <= count; n++) {
    end += 1 / n
    ends.push(end)
  }
  return fraction => {
    const at = ends.findIndex(limit => fraction * end < limit)
    return at < 0 ? count - 1 : at
  }
}
