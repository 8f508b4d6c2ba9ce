// The deploy kit: the service knows what it sets, its times fit together, and its files are valid. The files are only read:
// nothing here starts a container or talks to a cluster. test/lab/faults/roll.test.ts runs the Caddyfile with processes.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { loadConfig } from '../../server/config.ts'
import { KEEP_ALIVE_MS } from '../../server/http-server.ts'
import { adaptCaddyfile, hasCaddy } from '../support/caddy.ts'
import { runService } from '../support/running.ts'

const STOP_S = 10
const kit = fileURLToPath(new URL('../../deploy', import.meta.url))
const read = (path: string) => readFileSync(`${kit}/${path}`, 'utf8')
const { version } = z.object({ version: z.string() }).parse(JSON.parse(read('../package.json')))

/** The only document of a file, without duplicate keys or other errors. */
function parse<T extends z.ZodType>(schema: T, path: string): z.output<T> {
  const [document, ...more] = parseAllDocuments(read(path), { merge: true })
  expect([path, document?.errors, more]).toEqual([path, [], []])
  return schema.parse(document?.toJS())
}

/** Throws if a value is wrong. Docker and Kubernetes pass text only. */
function configOf(env: Record<string, unknown>) {
  const texts = z.record(z.string(), z.string()).parse(env)
  const config = loadConfig(texts)
  for (const name of Object.keys(texts)) expect(Object.keys(config)).toContain(name.toLowerCase())
  return config
}

const service = await runService()
const expectRoute = (path: string) =>
  expect(service.routes.map(({ method, path }) => `${method} ${path}`)).toContain(`GET ${path}`)

describe('compose.yaml, read without starting containers', () => {
  const Environment = z.record(z.string(), z.string()).default({})
  const Compose = z.object({
    services: z.record(
      z.string(),
      z.object({
        image: z.string(),
        build: z.string().optional(),
        environment: Environment,
        stop_grace_period: z.string().optional(),
      }),
    ),
  })
  const { services } = parse(Compose, 'compose.yaml')
  const instances = Object.values(services).filter(({ build }) => build !== undefined)
  const given: Record<string, string> = {
    POSTGRES_PASSWORD: 'a',
    FEED_PASSWORD: 'b',
    AUTH_SECRET: 'a secret of tests only',
  }
  /** As docker compose replaces variables. */
  const filled = (text: string) =>
    text.replace(/\$\{(\w+)(?::[-?]([^}]*))?\}/g, (_, name, or) => given[name] ?? or)

  test('the service knows each variable, and the grace period is longer than drain and stop', () => {
    expect(instances).toHaveLength(3)
    for (const { environment, stop_grace_period } of instances) {
      const values = Object.entries(environment).map(([name, text]) => [name, filled(text)])
      const { drain_seconds, trust_proxy } = configOf(Object.fromEntries(values))
      expect(Number(/^(\d+)s$/.exec(stop_grace_period ?? '')?.[1])).toBeGreaterThan(drain_seconds + STOP_S)
      expect(drain_seconds).toBeGreaterThan(0)
      expect(trust_proxy).toBe(true)
    }
  })

  test('the service connects with a role of its own, which the script creates', async () => {
    for (const { environment } of instances) {
      const { username, password, pathname } = new URL(filled(environment.DATABASE_URL ?? ''))
      expect([username, password, pathname]).toEqual(['feed', given.FEED_PASSWORD, '/feed'])
    }
    expect(services.postgres?.environment).not.toHaveProperty('POSTGRES_USER')
    const [, commands = ''] = /<<'SQL'\n(.*)SQL\n/s.exec(read('create-role.sh')) ?? []
    const { sql } = service
    for (const command of commands.trim().split('\n'))
      await sql.unsafe(command.replace(":'password'", "'b'").replaceAll(/\bfeed\b/g, 'kit_feed'))
    const [role] = await sql`select rolsuper, rolcanlogin from pg_roles where rolname = 'kit_feed'`
    expect(role).toEqual({ rolsuper: false, rolcanlogin: true })
    await sql`drop database kit_feed`
    await sql`drop role kit_feed`
  })

  test('images have versions, and that of the service is the present one', () => {
    for (const { image, build } of Object.values(services))
      expect(filled(image)).toMatch(build === undefined ? /^[a-z]+:\d/ : `channel-feed:${version}`)
  })

  test('.env.sample names the variables that have no default', () => {
    const required = [...read('compose.yaml').matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name)
    const sample = [...read('.env.sample').matchAll(/^(\w+)=/gm)].map(([, name]) => name)
    expect(sample).toEqual(expect.arrayContaining([...new Set(required)]))
  })
})

describe('kubernetes/, read without a cluster', () => {
  const Port = z.object({ name: z.string(), containerPort: z.number() })
  const Probe = z.object({ httpGet: z.object({ path: z.string(), port: z.string() }) })
  const Selector = z.object({ matchLabels: z.object({ app: z.string() }) })
  const Container = z.object({
    image: z.string(),
    ports: z.tuple([Port]),
    envFrom: z.tuple([z.object({ secretRef: z.object({ name: z.string() }) })]),
    env: z.array(z.object({ name: z.string(), value: z.string() })),
    lifecycle: z.object({
      preStop: z.object({ exec: z.object({ command: z.tuple([z.literal('sleep'), z.string()]) }) }),
    }),
    startupProbe: Probe,
    readinessProbe: Probe,
    livenessProbe: Probe,
  })
  const Deployment = z.object({
    spec: z.object({
      selector: Selector,
      strategy: z.object({ rollingUpdate: z.object({ maxSurge: z.number(), maxUnavailable: z.literal(0) }) }),
      template: z.object({
        metadata: z.object({ labels: z.object({ app: z.string() }) }),
        spec: z.object({
          terminationGracePeriodSeconds: z.number(),
          containers: z.tuple([Container]),
        }),
      }),
    }),
  })
  const folder = 'kubernetes'
  const { spec } = parse(Deployment, `${folder}/deployment.yaml`)
  const pod = spec.template.spec
  const [container] = pod.containers
  const Secret = z.object({
    metadata: z.object({ name: z.string() }),
    stringData: z.record(z.string(), z.string()),
  })
  const secret = parse(Secret, `${folder}/secret.sample.yaml`)
  const env = Object.fromEntries(container.env.map(({ name, value }) => [name, value]))

  test('the service knows each variable, and does not start with the sample’s secret', () => {
    expect(() => configOf({ ...env, ...secret.stringData })).toThrow('AUTH_SECRET must')
    configOf({ ...env, ...secret.stringData, AUTH_SECRET: 'a secret of tests only' })
    expect(container.envFrom[0].secretRef.name).toBe(secret.metadata.name)
  })

  test('the grace period is longer than preStop, drain and stop', () => {
    const { drain_seconds } = loadConfig(env)
    const pre_stop_s = Number(container.lifecycle.preStop.exec.command[1])
    expect(drain_seconds).toBeGreaterThan(0)
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(pre_stop_s + drain_seconds + STOP_S)
  })

  test('probes name routes that exist and a port that the container has', () => {
    const probes = [container.startupProbe, container.readinessProbe, container.livenessProbe]
    expect(probes.map(({ httpGet }) => httpGet.path)).toEqual(['/healthz', '/readyz', '/healthz'])
    for (const { httpGet } of probes) {
      expectRoute(httpGet.path)
      expect(httpGet.port).toBe(container.ports[0].name)
    }
    expect(container.ports[0].containerPort).toBe(loadConfig(env).port)
  })

  test('Service, Ingress and PodDisruptionBudget mean the Deployment’s pods', () => {
    const { app } = spec.template.metadata.labels
    const selected = [
      spec.selector.matchLabels.app,
      parse(
        z.object({ spec: z.object({ selector: z.object({ app: z.string() }) }) }),
        `${folder}/service.yaml`,
      ).spec.selector.app,
      parse(z.object({ spec: z.object({ selector: Selector }) }), `${folder}/disruption-budget.yaml`).spec
        .selector.matchLabels.app,
    ]
    expect(new Set(selected)).toEqual(new Set([app]))
    expect(read(`${folder}/ingress.yaml`)).toContain(`host: ${new URL(env.PUBLIC_URL ?? '').host}`)
  })

  test('the ingress gives nobody the metrics', () => {
    const Backend = z.object({ service: z.object({ name: z.string() }) })
    const Path = z.object({ path: z.string(), backend: Backend })
    const Rule = z.object({ http: z.object({ paths: z.array(Path) }) })
    const ingress = parse(z.object({ spec: z.object({ rules: z.tuple([Rule]) }) }), `${folder}/ingress.yaml`)
    const [rule] = ingress.spec.rules
    const closed = rule.http.paths.find(({ path }) => path === '/metrics')?.backend.service.name
    const Service = z.object({
      metadata: z.object({ name: z.string() }),
      spec: z.object({}).strict().or(z.looseObject({})),
    })
    const { metadata, spec } = parse(Service, `${folder}/closed-service.yaml`)
    expect(metadata.name).toBe(closed)
    expect(spec).not.toHaveProperty('selector')
  })

  test('the kustomization lists every file except the sample, and the present version', () => {
    const Kustomization = z.object({
      resources: z.array(z.string()),
      images: z.tuple([z.object({ name: z.string(), newTag: z.string() })]),
    })
    const { resources, images } = parse(Kustomization, `${folder}/kustomization.yaml`)
    const files = readdirSync(`${kit}/${folder}`)
    expect([...resources, 'kustomization.yaml', 'secret.sample.yaml'].sort()).toEqual(files.sort())
    expect(images).toEqual([{ name: container.image, newTag: version }])
  })

  const kubectl = (...args: string[]) =>
    spawnSync('kubectl', args, { encoding: 'utf8', env: { PATH: process.env.PATH, KUBECONFIG: '/dev/null' } })
  const hasKubectl = kubectl('version', '--client').status === 0

  test.skipIf(!hasKubectl)('kubectl renders the kustomization', () => {
    const { status, stdout, stderr } = kubectl('kustomize', `${kit}/${folder}`)
    expect([status, stderr]).toEqual([0, ''])
    const kinds = parseAllDocuments(stdout).map(document => document.get('kind'))
    expect(kinds.sort()).toEqual(['Deployment', 'Ingress', 'PodDisruptionBudget', 'Service', 'Service'])
  })
})

describe('Caddyfile', () => {
  test('its upstreams are the instances of compose.yaml', () => {
    const { services } = parse(z.object({ services: z.record(z.string(), z.unknown()) }), 'compose.yaml')
    const instances = Object.keys(services).filter(name => name.startsWith('feed-'))
    expect(read('Caddyfile')).toContain(`{$UPSTREAMS:${instances.map(name => `${name}:3000`).join(' ')}}`)
  })

  test('its health check names a route that exists', () => {
    expectRoute(/health_uri (\S+)/.exec(read('Caddyfile'))?.[1] ?? '')
  })

  test('it gives nobody the metrics', () => {
    expect(read('Caddyfile')).toMatch(/@metrics path (\S+).*\n\trespond @metrics 404/)
    expectRoute(/@metrics path (\S+)/.exec(read('Caddyfile'))?.[1] ?? '')
  })

  test('it closes idle connections before the service does', () => {
    const idle_s = Number(/keepalive (\d+)s/.exec(read('Caddyfile'))?.[1])
    expect(idle_s).toBeLessThan(KEEP_ALIVE_MS / 1000)
  })

  test.skipIf(!hasCaddy)('Caddy accepts it', async () => {
    expect(JSON.stringify(await adaptCaddyfile())).toContain('"dial":"feed-3:3000"')
  })
})

test('an idle connection outlives the idle connections of common balancers', async () => {
  const response = await fetch(`${service.url}/healthz`)
  expect(response.headers.get('Keep-Alive')).toBe(`timeout=${KEEP_ALIVE_MS / 1000}`)
})
