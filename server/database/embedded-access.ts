// Decides who may connect to the embedded database. For an ordinary user, the socket's private folder keeps others out.
// For root, PostgreSQL runs as `nobody`, like other programs may: then only root may connect, checked by the kernel
// (peer authentication). The rules are written at each start, because folders of older releases lack them.
import { chmod, rename, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import type { RunAs } from './embedded-user.ts'

/** Returns settings for PostgreSQL; none if the socket's folder is protection enough. */
export async function writeAccessRules(data_dir: string, run_as: RunAs): Promise<Record<string, string>> {
  if (run_as.owner === undefined) return {}
  const [hba_file, ident_file] = [join(data_dir, 'pg_hba.conf'), join(data_dir, 'pg_ident.conf')]
  await replaceFile(hba_file, 'local all app peer map=service\n')
  await replaceFile(ident_file, `service "${userInfo().username}" app\n`)
  return { hba_file, ident_file }
}

async function replaceFile(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text)
  // PostgreSQL's user must read it, whatever root's umask is.
  await chmod(`${file}.new`, 0o644)
  await rename(`${file}.new`, file)
}
