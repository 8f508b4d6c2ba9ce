// The loads of `npm run prove:scale`. Each offers a fixed rate, which one instance bears with half a core at most: on a machine with two
// cores, more cards a second would say nothing about more instances.
export type Load = {
  name: LoadName
  title: string
  channels: number
  /** Cards a second, of all posters. */
  rate: number
  /** The channels that the poster on an instance writes. */
  writes(channel: number, instance: number, instances: number): boolean
  /** The viewers, by instance and channel; none by default. */
  viewers?: (instances: number) => { instance: number; channel: number }[]
  /** Left out with fewer instances. */
  instances_min: number
}

export type LoadName = 'idle' | 'hot' | 'anywhere' | 'own' | 'viewers' | 'bystander' | 'followers'

const RATE = 400
const CHANNELS = 50
const VIEWERS = 1_000
const VIEWED_RATE = 50

const everywhere = () => true
/** The last instance writes nothing. */
const notTheLast = (channel: number, instance: number, instances: number) =>
  channel % (instances - 1) === instance

export const LOADS: Load[] = [
  { name: 'idle', title: 'nothing', channels: 0, rate: 0, writes: everywhere, instances_min: 1 },
  {
    name: 'hot',
    title: 'one channel, written by all',
    channels: 1,
    rate: RATE,
    writes: everywhere,
    instances_min: 1,
  },
  {
    name: 'anywhere',
    title: '50 channels, written anywhere',
    channels: CHANNELS,
    rate: RATE,
    writes: everywhere,
    instances_min: 1,
  },
  {
    name: 'own',
    title: '50 channels, one instance each',
    channels: CHANNELS,
    rate: RATE,
    writes: (channel, instance, instances) => channel % instances === instance,
    instances_min: 1,
  },
  {
    name: 'viewers',
    title: '1,000 viewers of one channel, spread',
    channels: 1,
    rate: VIEWED_RATE,
    writes: everywhere,
    viewers: instances =>
      Array.from({ length: VIEWERS }, (_, i) => ({ instance: i % instances, channel: 0 })),
    instances_min: 1,
  },
  {
    name: 'bystander',
    title: '50 channels; the last instance uses none',
    channels: CHANNELS,
    rate: RATE,
    writes: notTheLast,
    instances_min: 2,
  },
  {
    name: 'followers',
    title: '50 channels; the last instance has a viewer in each',
    channels: CHANNELS,
    rate: RATE,
    writes: notTheLast,
    viewers: instances =>
      Array.from({ length: CHANNELS }, (_, channel) => ({ instance: instances - 1, channel })),
    instances_min: 2,
  },
]
