// Who may connect to the embedded database. Run by an ordinary user, PostgreSQL and its socket belong to that user, and
// the socket's folder keeps everyone else out. Run by root, PostgreSQL is `nobody`, as other programs are: there only
// root may connect, and the kernel tells PostgreSQL who that is. Written at each start, for folders of older releases.
import { chmod, rename, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import type { RunAs } from './embedded-user.ts'

/** Returns the settings that PostgreSQL starts with; none if the folder of the socket is enough. */
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
