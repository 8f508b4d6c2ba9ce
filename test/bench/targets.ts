// All targets, in the order of the table's columns.
import { product } from './product.ts'
import { peer, type Target } from './target.ts'

export const targets: Target[] = [
  product,
  peer('insert', 'bare insert', 'insert.ts', 'plain'),
  peer('broadcast', 'bare ws', 'broadcast.ts', 'plain'),
  peer('http', 'bare node:http', 'http.ts', 'plain'),
  peer('hocuspocus-durable', 'Hocuspocus, durable', 'hocuspocus.ts', 'hocuspocus', { DURABLE: '1' }),
  peer('hocuspocus', 'Hocuspocus, in memory', 'hocuspocus.ts', 'hocuspocus', { DURABLE: '0' }),
  peer('y-websocket-server', '@y/websocket-server, in memory', 'y-websocket-server.ts', 'y-websocket'),
]
